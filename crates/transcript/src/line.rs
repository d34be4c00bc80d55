//! One line of a transcript: an entry with its envelope.

use std::borrow::Cow;
use std::sync::Arc;

use context_api::{Entry, EntryKind, LineFacts, RawJson};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The type of the line that says that a session goes on with the history of another.
pub(crate) const FORK: &str = "fork";

/// What editors put in front of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What stands in front of each entry of a session, as the beginning of a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Envelope(Vec<u8>);

#[derive(Serialize)]
struct Front<'a> {
    session_id: &'a str,
    #[serde(flatten)]
    facts: &'a LineFacts,
}

impl Envelope {
    pub(crate) fn new(session_id: &str, facts: &LineFacts) -> serde_json::Result<Self> {
        let mut front = serde_json::to_vec(&Front { session_id, facts })?;
        // the entry's own fields follow
        front.pop();
        Ok(Self(front))
    }

    /// Writes an entry as one line, its end included, behind what is in `out`.
    pub(crate) fn write(&self, entry: &Entry, out: &mut Vec<u8>) -> serde_json::Result<()> {
        out.extend_from_slice(&self.0);
        let brace = out.len();
        serde_json::to_writer(&mut *out, entry)?;
        // the entry's own object goes on with the one that the envelope began
        if let Some(opened) = out.get_mut(brace) {
            *opened = b',';
        }
        out.push(b'\n');
        Ok(())
    }
}

/// What is known of a line without its payload.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Head<'a> {
    pub(crate) uuid: Uuid,
    #[serde(default)]
    pub(crate) parent_uuid: Option<Uuid>,
    #[serde(rename = "type", borrow)]
    pub(crate) tag: Cow<'a, str>,
    #[serde(rename = "timestamp")]
    _timestamp: Timestamp,
}

/// What a fork's first line says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ForkPoint {
    /// The session that it goes on with.
    pub(crate) session: String,
    /// The last entry of it that belongs to the fork.
    pub(crate) at: Uuid,
}

impl ForkPoint {
    /// The entry that says so.
    pub(crate) fn entry(&self, uuid: Uuid, timestamp: Timestamp) -> serde_json::Result<Entry> {
        let kind = EntryKind::Unknown { tag: FORK.to_owned(), payload: RawJson::of(self)? };
        Ok(Entry::new(uuid, timestamp, 0, kind))
    }

    pub(crate) fn of(entry: &Entry) -> Option<Self> {
        match &entry.kind {
            EntryKind::Unknown { tag, payload } if tag == FORK => payload.read().ok(),
            _ => None,
        }
    }
}

/// Something about a line that was mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mended {
    NotUtf8,
    NulBytes,
    HalfSurrogate,
    UnreadPayload,
}

/// A line as text that a strict reader takes.
pub(crate) fn text(bytes: &[u8]) -> (Cow<'_, str>, Vec<Mended>) {
    let mut mended = Vec::new();
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    // The strict look is the faster one, and seldom fails.
    let mut text = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    if matches!(text, Cow::Owned(_)) {
        mended.push(Mended::NotUtf8);
    }
    // A disk that lost its power leaves runs of them.
    if memchr::memchr(0, bytes).is_some() {
        mended.push(Mended::NulBytes);
        text = Cow::Owned(text.replace('\0', ""));
    }
    // Half of a pair is rare, and what begins like one costs a look.
    if memchr::memmem::find(text.as_bytes(), b"\\u").is_some()
        && let Cow::Owned(repaired) = context_text::repair_surrogates(&text)
    {
        mended.push(Mended::HalfSurrogate);
        text = Cow::Owned(repaired);
    }
    (text, mended)
}

/// An entry, and what was mended to read it.
pub(crate) struct Line {
    pub(crate) entry: Arc<Entry>,
    pub(crate) mended: Vec<Mended>,
}

/// Reads a line. An entry of a type that is known with a payload that is not keeps its payload as it is.
pub(crate) fn read(bytes: &[u8]) -> serde_json::Result<Line> {
    let (text, mut mended) = text(bytes);
    let entry = match serde_json::from_str::<Entry>(&text) {
        Ok(entry) => entry,
        Err(error) => {
            let entry = unread(&text).map_err(|_| error)?;
            mended.push(Mended::UnreadPayload);
            entry
        }
    };
    Ok(Line { entry: Arc::new(entry), mended })
}

/// What stands beside the entry of a line.
pub(crate) fn facts(bytes: &[u8]) -> LineFacts {
    serde_json::from_str(&text(bytes).0).unwrap_or_default()
}

fn unread(text: &str) -> serde_json::Result<Entry> {
    #[derive(Deserialize)]
    struct Raw {
        uuid: Uuid,
        #[serde(default)]
        parent_uuid: Option<Uuid>,
        timestamp: Timestamp,
        #[serde(default)]
        turn: u64,
        #[serde(rename = "type")]
        tag: String,
        #[serde(default)]
        payload: RawJson,
    }
    let raw: Raw = serde_json::from_str(text)?;
    let kind = EntryKind::Unknown { tag: raw.tag, payload: raw.payload };
    Ok(Entry::new(raw.uuid, raw.timestamp, raw.turn, kind).after(raw.parent_uuid))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        let time = "2026-04-25T12:00:00Z".parse().unwrap();
        Entry::new(Uuid::from_u128(1), time, 3, EntryKind::user("a\nb")).after(Some(Uuid::from_u128(7)))
    }

    #[test]
    fn a_line_has_the_envelope_in_front_and_reads_back() {
        let facts = LineFacts::default().cwd("/p").git_branch("main".to_owned()).version("1.2.3");
        let mut out = b"before".to_vec();
        Envelope::new("s1", &facts).unwrap().write(&entry(), &mut out).unwrap();
        let line = &out["before".len()..];
        insta::assert_snapshot!(String::from_utf8_lossy(line), @r#"{"session_id":"s1","cwd":"/p","git_branch":"main","version":"1.2.3","uuid":"00000000-0000-0000-0000-000000000001","parent_uuid":"00000000-0000-0000-0000-000000000007","timestamp":"2026-04-25T12:00:00Z","turn":3,"type":"user","payload":{"content":[{"type":"text","text":"a\nb"}]}}"#);
        let line = line.strip_suffix(b"\n").unwrap();
        let read = read(line).unwrap();
        assert_eq!((&*read.entry, self::facts(line)), (&entry(), facts));
        assert_eq!(read.mended, []);
    }

    #[test]
    fn what_a_strict_reader_refuses_is_mended_and_said() {
        let line = |payload: &str| {
            format!(
                r#"{{"uuid":"00000000-0000-0000-0000-000000000001","timestamp":"2026-04-25T12:00:00Z","type":"user","payload":{payload}}}"#
            )
            .into_bytes()
        };
        let said = |bytes: &[u8]| {
            let line = read(bytes).unwrap();
            let EntryKind::User(input) = &line.entry.kind else {
                return (line.mended, line.entry.kind.tag().to_owned());
            };
            (line.mended, serde_json::to_string(&input.content).unwrap())
        };
        let text = |text: &str| format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        assert_eq!(
            said(&line(r#"{"content":"A \ud83d B"}"#)),
            (vec![Mended::HalfSurrogate], text("A \u{fffd} B"))
        );
        assert_eq!(said(&line(r#"{"content":"\ud83d\udd25 \u00e9"}"#)), (vec![], text("🔥 é")));
        assert_eq!(
            said(&[b"\0\0".as_slice(), &line(r#"{"content":"x"}"#)].concat()),
            (vec![Mended::NulBytes], text("x"))
        );
        let mut latin = line(r#"{"content":"caf#"}"#);
        *latin.iter_mut().find(|byte| **byte == b'#').unwrap() = 0xe9;
        assert_eq!(said(&latin), (vec![Mended::NotUtf8], text("caf\u{fffd}")));
        assert_eq!(said(&line(r#"{"content":7}"#)), (vec![Mended::UnreadPayload], "user".to_owned()));
        assert!(read(b"{\"type\":\"user\"}").is_err());
    }
}
