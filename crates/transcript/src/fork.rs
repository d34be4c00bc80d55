//! Sessions that begin with the history of another.

use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use context_api::{Fork, StoreError, StoreErrorKind};
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::file_blobs::failed;
use crate::jsonl::Inner;
use crate::line::{self, Envelope, ForkPoint};
use crate::load::{Reading, file};
use crate::private;

/// Makes the file of a fork. The other session's file stays as it is.
pub(crate) fn fork(inner: &Inner, fork: &Fork) -> Result<(), StoreError> {
    let path = file(&inner.root, &fork.to)?;
    inner.claim(&fork.to)?;
    if path.exists() {
        let reason = format!("{} is there already", path.display());
        return Err(StoreError::new(&fork.to, StoreErrorKind::InUse, reason));
    }
    let part = inner.root.join(format!(".{}.{}.part", fork.to, std::process::id()));
    let made = if fork.copy { copied(inner, fork, &part) } else { referring(inner, fork, &part) };
    let made = made.and_then(|()| fs::rename(&part, &path).map_err(|error| failed(&fork.to, &path, &error)));
    if made.is_err() {
        let _litter = fs::remove_file(&part);
    }
    made
}

/// One line that names the other session and its last entry.
fn referring(inner: &Inner, fork: &Fork, part: &Path) -> Result<(), StoreError> {
    let (session, at) = Reading::new(&inner.root, &inner.limits).fork_point(&fork.from, fork.at)?;
    let wrong = |error: serde_json::Error| failed(&fork.to, part, &error.into());
    let entry = ForkPoint { session, at }.entry(fork.uuid, fork.timestamp).map_err(wrong)?;
    let mut line = Vec::new();
    Envelope::new(&fork.to, &fork.facts).and_then(|front| front.write(&entry, &mut line)).map_err(wrong)?;
    fresh(part).and_then(|mut file| file.write_all(&line)).map_err(|error| failed(&fork.to, part, &error))
}

/// All lines, each as it is but for its session.
fn copied(inner: &Inner, fork: &Fork, part: &Path) -> Result<(), StoreError> {
    let error = |error: io::Error| failed(&fork.to, part, &error);
    let mut out = BufWriter::new(fresh(part).map_err(error)?);
    Reading::new(&inner.root, &inner.limits).lines(&fork.from, fork.at, &mut |line| {
        out.write_all(&of_session(line, &fork.to)?)?;
        out.write_all(b"\n")
    })?;
    out.flush().map_err(error)
}

fn fresh(path: &Path) -> io::Result<fs::File> {
    if let Some(directory) = path.parent() {
        private::directory(directory)?;
    }
    private::options().write(true).create(true).truncate(true).open(path)
}

/// A line with another session's id; everything else, fields that nobody knows among them, stays byte for byte.
fn of_session(bytes: &[u8], session: &str) -> io::Result<Vec<u8>> {
    let (text, _) = line::text(bytes);
    let fields = serde_json::Deserializer::from_str(&text).deserialize_map(Fields)?;
    let id = serde_json::to_string(session)?;
    let mut out = format!("{{\"session_id\":{id}");
    for (key, value) in fields.iter().filter(|(key, _)| key != "session_id") {
        out.push(',');
        out.push_str(&serde_json::to_string(key)?);
        out.push(':');
        out.push_str(value.get());
    }
    out.push('}');
    Ok(out.into_bytes())
}

/// The fields of an object in their order.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<(String, Box<RawValue>)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_line_keeps_what_nobody_knows() {
        let line = br#"{"session_id":"a","new_field":{"b": 1.50, "a":[ ]},"uuid":"x","type":"t\u00e9"}"#;
        let copy = String::from_utf8(of_session(line, "b").unwrap()).unwrap();
        assert_eq!(
            copy,
            r#"{"session_id":"b","new_field":{"b": 1.50, "a":[ ]},"uuid":"x","type":"t\u00e9"}"#
        );
    }
}
