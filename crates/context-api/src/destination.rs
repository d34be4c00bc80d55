//! Who sees an entry, and how.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::record::words;

/// One of those who may see an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// The model.
    Model,
    /// The transcript.
    Transcript,
    /// A person.
    Ui,
    /// The process.
    Runtime,
    /// The host's control of the run.
    HostControl,
}

impl Destination {
    /// All of them, in the order of their bits.
    pub const ALL: [Self; 5] = [Self::Model, Self::Transcript, Self::Ui, Self::Runtime, Self::HostControl];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of destinations; in JSON a list of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Destinations(u8);

impl Destinations {
    /// Nobody.
    pub const NONE: Self = Self(0);

    /// The set of those given.
    pub const fn of(destinations: &[Destination]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < destinations.len() {
            set |= destinations[at].bit();
            at += 1;
        }
        Self(set)
    }

    /// The set with one more.
    pub const fn with(self, destination: Destination) -> Self {
        Self(self.0 | destination.bit())
    }

    /// The set without one.
    pub const fn without(self, destination: Destination) -> Self {
        Self(self.0 & !destination.bit())
    }

    /// Whether one is in it.
    pub const fn contains(self, destination: Destination) -> bool {
        self.0 & destination.bit() != 0
    }

    /// Those in it.
    pub fn iter(self) -> impl Iterator<Item = Destination> {
        Destination::ALL.into_iter().filter(move |one| self.contains(*one))
    }
}

impl Serialize for Destinations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Destinations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(&Vec::<Destination>::deserialize(deserializer)?))
    }
}

words! {
    /// How a model sees an attachment.
    pub enum ModelShape {
        /// A meta user message inside a reminder.
        Reminder,
        /// A simulated tool call and its result.
        Tool,
        /// A user message.
        User,
        /// Not at all.
        None,
    }

    /// Whose text something is; it decides how the text is fenced and labelled.
    pub enum Trust {
        /// The host's own.
        Host,
        /// The user's.
        User,
        /// Of files in the repository.
        Repository,
        /// A tool's or hook's.
        Tool,
        /// From elsewhere.
        Network,
    }
}
