//! Paths in JSON: text where they are text, and without loss where they are not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path in JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Path"))]
#[serde(untagged)]
pub(crate) enum Written {
    /// A path that is text.
    Text(String),
    /// A name that is no UTF-8: its bytes in hexadecimal digits, and what a person can read of it.
    Bytes { hex: String, lossy: String },
}

impl Written {
    fn of(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes { hex: hex(path), lossy: path.to_string_lossy().into_owned() },
        }
    }

    fn path(self) -> PathBuf {
        match self {
            Self::Text(text) => text.into(),
            Self::Bytes { hex, lossy } => unhex(&hex).unwrap_or_else(|| lossy.into()),
        }
    }
}

/// What begins a key that stands for bytes: no absolute path does.
const BYTES: &str = "bytes:";

/// A path as a key of the ledger: the path itself where it is text, and without loss where it is not.
///
/// ```
/// let path = std::path::Path::new("/p/CLAUDE.md");
/// assert_eq!(context_api::path_key(path), "/p/CLAUDE.md");
/// assert_eq!(context_api::path_of_key("/p/CLAUDE.md"), path);
/// ```
pub fn path_key(path: &Path) -> String {
    path.to_str().map_or_else(|| [BYTES, &hex(path)].concat(), str::to_owned)
}

/// The path that a key stands for; see [`path_key`].
pub fn path_of_key(key: &str) -> PathBuf {
    key.strip_prefix(BYTES).and_then(unhex).unwrap_or_else(|| key.into())
}

#[cfg(unix)]
fn hex(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().iter().fold(String::new(), |mut out, byte| {
        let _infallible = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(unix)]
fn unhex(hex: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let digits = hex.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    Some(OsString::from_vec(digits.collect::<Option<_>>()?).into())
}

#[cfg(not(unix))]
fn hex(path: &Path) -> String {
    let _ = path;
    String::new()
}

#[cfg(not(unix))]
fn unhex(_: &str) -> Option<PathBuf> {
    None::<OsString>.map(PathBuf::from)
}

pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    Written::of(path).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(Written::deserialize(deserializer)?.path())
}

/// The same for a path that may be missing.
pub(crate) mod option {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(Written::of).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Written>::deserialize(deserializer)?.map(Written::path))
    }
}

/// The same for a list of paths.
pub(crate) mod list {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| Written::of(path)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<Written>::deserialize(deserializer)?.into_iter().map(Written::path).collect())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;
    use crate::{AlreadyReadFile, Attachment, StateChange};

    #[test]
    fn a_name_that_is_no_text_comes_back_as_it_was() {
        let path = PathBuf::from(OsString::from_vec(b"/p/bad\xe9name.txt".to_vec()));
        let attachment = Attachment::from(AlreadyReadFile::default().path(path.clone()));
        let json = serde_json::to_string(&attachment).unwrap();
        assert_eq!(serde_json::from_str::<Attachment>(&json).unwrap(), attachment);
        assert_eq!(path_of_key(&path_key(&path)), path);
        let change = StateChange::Remove(path);
        let json = serde_json::to_string(&change).unwrap();
        assert_eq!(serde_json::from_str::<StateChange>(&json).unwrap(), change);
    }
}
