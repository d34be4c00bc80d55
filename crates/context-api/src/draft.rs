//! Attachments on their way into the history.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::record::is_default;
use crate::{Aside, Attachment, StateChange};

/// An attachment that was collected and not committed: nothing knows of it yet.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Draft {
    /// The event.
    pub attachment: Attachment,
    /// What the ledger will remember it by.
    pub keys: Vec<DeliveryKey>,
    /// What the model will have seen once it is delivered.
    pub states: Vec<StateChange>,
    /// The host's ids of the events it delivers.
    pub delivers: Vec<String>,
    /// What has to be put aside before it counts.
    pub aside: Option<Box<Aside>>,
}

impl Draft {
    /// A draft of `attachment` that leaves no trace but itself.
    pub fn new(attachment: impl Into<Attachment>) -> Self {
        let (keys, states, delivers) = (Vec::new(), Vec::new(), Vec::new());
        Self { attachment: attachment.into(), keys, states, delivers, aside: None }
    }

    /// Adds what the ledger will remember it by.
    pub fn key(mut self, key: DeliveryKey) -> Self {
        self.keys.push(key);
        self
    }

    /// Adds a change of the file states.
    pub fn state(mut self, state: StateChange) -> Self {
        self.states.push(state);
        self
    }

    /// Adds an event of the host that is delivered with it.
    pub fn delivers(mut self, id: impl Into<String>) -> Self {
        self.delivers.push(id.into());
        self
    }

    /// Names what has to be put aside before it counts.
    pub fn aside(mut self, aside: Aside) -> Self {
        self.aside = Some(Box::new(aside));
        self
    }

    /// The draft as part of the history.
    pub fn commit(self, uuid: Uuid, timestamp: Timestamp) -> Envelope {
        Envelope {
            uuid,
            timestamp,
            attachment: self.attachment,
            keys: self.keys,
            states: self.states,
            delivers: self.delivers,
        }
    }
}

/// What was delivered, for the ledger: a kind, a key within it, and a digest of the content.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeliveryKey {
    /// Such as `nested_memory`.
    pub kind: String,
    /// Such as a path.
    pub key: String,
    /// Digest of what was delivered; empty where only the fact counts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hash: String,
    /// Whether the delivery takes the key back: it is as if it had never been delivered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub retracts: bool,
}

impl DeliveryKey {
    /// A key with a digest.
    pub fn new(kind: impl Into<String>, key: impl Into<String>, hash: impl Into<String>) -> Self {
        Self { kind: kind.into(), key: key.into(), hash: hash.into(), retracts: false }
    }

    /// A key that takes an earlier one back.
    pub fn retract(kind: impl Into<String>, key: impl Into<String>) -> Self {
        Self { kind: kind.into(), key: key.into(), hash: String::new(), retracts: true }
    }
}

/// An attachment that is part of the history.
///
/// In JSON `uuid`, `timestamp`, `attachment`, and `keys`, `states` and `delivers` where there are any.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Envelope {
    /// Its identity (version 7); the same as its entry's.
    pub uuid: Uuid,
    /// When it was committed.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
    pub timestamp: Timestamp,
    /// The event.
    pub attachment: Attachment,
    /// What the ledger remembers it by.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keys: Vec<DeliveryKey>,
    /// What the model has seen with it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub states: Vec<StateChange>,
    /// The host's ids of the events it delivered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub delivers: Vec<String>,
}
