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
        let one_line =
            if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], " ") } else { text.to_owned() };
        RawValue::from_string(one_line).map(|raw| Self(Arc::from(raw)))
    }

    /// Serialises `value`; maps keep the order that their type gives them.
    ///
    /// # Errors
    /// The value can not be written as JSON (a map key that is no text, say).
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Self::parse(&serde_json::to_string(value)?)
    }

    /// The empty object, `{}`.
    pub fn empty_object() -> Self {
        Self(Arc::from(RawValue::from_string("{}".to_owned()).unwrap_or_else(|_| Box::default())))
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
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::parse(raw.get()).map_err(serde::de::Error::custom)
    }
}

/// The `type` tag of an object; everything else in it is skipped.
#[derive(Deserialize)]
pub(crate) struct TypeTag {
    #[serde(rename = "type")]
    pub(crate) tag: String,
}

/// Reads an object whose `type` says what it is: the tag first, the payload afterwards, so that raw parts stay raw.
pub(crate) fn read_tagged<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(String, RawJson), D::Error> {
    let raw = RawJson::deserialize(deserializer)?;
    let TypeTag { tag } = raw.read().map_err(serde::de::Error::custom)?;
    Ok((tag, raw))
}
