//! JSON kept as the text it came in.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// One JSON value as text, kept byte for byte: the inputs of tools, payloads of a host, entries of a newer version.
///
/// Cheap to clone. Two are equal when their texts are. Line breaks between tokens become spaces when it is made, so that
/// a line of a transcript stays a line.
#[derive(Clone)]
pub struct RawJson(Arc<RawValue>);

impl RawJson {
    /// Checks that `text` is one JSON value and keeps it.
    ///
    /// # Errors
    /// The text is no JSON.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let one_line = if breaks(text) { text.replace(['\n', '\r'], " ") } else { text.to_owned() };
        RawValue::from_string(one_line).map(|raw| Self(Arc::from(raw)))
    }

    /// Serialises `value`; maps keep the order that their type gives them.
    ///
    /// # Errors
    /// The value can not be written as JSON (a map key that is no text, say).
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Part(serde_json::value::to_raw_value(value)?).keep()
    }

    /// The empty object, `{}`.
    pub fn empty_object() -> Self {
        Self(Arc::from(Part::default().0))
    }

    /// The text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads the value into a type.
    ///
    /// # Errors
    /// The text does not have the shape of `T`.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }
}

impl Default for RawJson {
    fn default() -> Self {
        Self::empty_object()
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Part::deserialize(deserializer)?.keep().map_err(serde::de::Error::custom)
    }
}

/// Whether there is an end of a line in `text`. A byte at a time, since all of a transcript goes through here.
fn breaks(text: &str) -> bool {
    text.as_bytes().contains(&b'\n') || text.as_bytes().contains(&b'\r')
}

/// One JSON value on its way into a type; few are kept as they are.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Part(Box<RawValue>);

impl Part {
    pub(crate) fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads the value into a type.
    pub(crate) fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    /// Keeps the value as it is.
    pub(crate) fn keep(self) -> Result<RawJson, serde_json::Error> {
        // it was just read, so that it is known to be JSON
        if breaks(self.get()) { RawJson::parse(self.get()) } else { Ok(RawJson(Arc::from(self.0))) }
    }
}

impl Default for Part {
    fn default() -> Self {
        Self(RawValue::from_string("{}".to_owned()).unwrap_or_default())
    }
}

/// The `type` tag of an object; everything else in it is skipped.
#[derive(Deserialize)]
pub(crate) struct TypeTag {
    #[serde(rename = "type")]
    pub(crate) tag: String,
}

/// Reads an object whose `type` says what it is: the tag first, the payload afterwards, so that raw parts stay raw.
pub(crate) fn read_tagged<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(String, Part), D::Error> {
    let raw = Part::deserialize(deserializer)?;
    let TypeTag { tag } = raw.read().map_err(serde::de::Error::custom)?;
    Ok((tag, raw))
}
