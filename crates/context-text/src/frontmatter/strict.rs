//! Frontmatter that is YAML.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::DuplicateKeyPolicy;
use std::collections::BTreeMap;
use std::fmt;

/// Most values and keys, and deepest nesting: far above what a frontmatter holds, far below what costs time.
const MAX_NODES: usize = 10_000;
const MAX_DEPTH: usize = 32;
/// Most aliases that are followed.
const MAX_ALIASES: usize = 100;

/// A value as YAML sees it.
pub(super) enum Value {
    Text(String),
    /// A number or truth value: its own text is what was typed, which YAML does not keep.
    Number(String),
    List(Vec<String>),
    Other,
}

/// The fields of a mapping; none where the text is no YAML or no mapping.
pub(super) fn parse(yaml: &str) -> Option<BTreeMap<String, Value>> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: MAX_NODES,
            max_events: 4 * MAX_NODES,
            max_depth: MAX_DEPTH,
            max_aliases: MAX_ALIASES,
        },
        duplicate_keys: DuplicateKeyPolicy::LastWins,
    };
    serde_saphyr::from_str_with_options(yaml, options).ok()
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Number(value.to_string()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.to_string()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value.to_string()))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Text(String::new()))
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Some(Vec::new());
        while let Some(item) = items.next_element()? {
            match (item, &mut list) {
                (Value::Text(text) | Value::Number(text), Some(list)) => list.push(text),
                _ => list = None,
            }
        }
        Ok(list.map_or(Value::Other, Value::List))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        while entries.next_entry::<Value, Value>()?.is_some() {}
        Ok(Value::Other)
    }
}
