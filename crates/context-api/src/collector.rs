//! Collectors: what is new this turn.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::record::words;
use crate::{
    Cancel, ContextProfile, Decision, DeliveryKey, Draft, Entry, HostEvent, HostSnapshot, Ledger,
    MemoryScope, PastedImage, SessionBlobs, StateChange, StatesView, Touched,
};

words! {
    /// When a collector runs.
    #[derive(PartialOrd, Ord)]
    pub enum Stage {
        /// First: what the input names.
        Input,
        /// For every agent.
        Everywhere,
        /// For the main thread only.
        MainThread,
    }

    /// How a collector works.
    pub enum Work {
        /// It may block: it runs on a thread of its own and can be abandoned there.
        Io,
        /// It only looks at memory: it is polled where the session is polled and must not block.
        Memory,
    }
}

/// Answers: what is new this turn?
///
/// A collector holds no state of a session and is shared by the engine. `collect` changes nothing: a draft counts once it
/// is committed, and only then do ledger and file states learn of it. At the deadline the outbox is closed; what was pushed
/// before counts. An error or a panic becomes a decision, and drafts pushed before it stay. A collector whose abandoned run
/// is still alive is not started again.
///
/// ```
/// use async_trait::async_trait;
/// use context_api::{Collector, CollectError, CustomAttachment, Draft, Outbox, Stage, TurnView, Work};
/// struct Weather;
/// #[async_trait]
/// impl Collector for Weather {
///     fn label(&self) -> &str { "weather" }
///     fn stage(&self) -> Stage { Stage::Everywhere }
///     fn work(&self) -> Work { Work::Memory }
///     async fn collect(&self, _: &TurnView, out: &Outbox) -> Result<(), CollectError> {
///         out.push(Draft::new(CustomAttachment::default().kind("weather").text("rain")))?;
///         Ok(())
///     }
/// }
/// let collector: std::sync::Arc<dyn Collector> = std::sync::Arc::new(Weather);
/// assert_eq!(collector.label(), "weather");
/// ```
#[async_trait]
pub trait Collector: Send + Sync + 'static {
    /// Its name in decisions and traces; unique within an engine.
    fn label(&self) -> &str;

    /// When it runs.
    fn stage(&self) -> Stage;

    /// How it works.
    fn work(&self) -> Work {
        Work::Io
    }

    /// Pushes what is new.
    ///
    /// # Errors
    /// Anything that kept it from looking; what it pushed before stays.
    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError>;
}

/// Why a collector could not look.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// The turn is over for it.
    #[error("the deadline passed")]
    Closed(#[from] Closed),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

impl CollectError {
    /// An error in one sentence.
    pub fn failed(reason: impl std::fmt::Display) -> Self {
        Self::Failed(reason.to_string())
    }
}

/// The outbox takes nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the outbox is closed")]
pub struct Closed;

/// Where a collector puts what it finds. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Outbox(Arc<Mutex<Collected>>);

#[derive(Debug, Default)]
struct Collected {
    closed: bool,
    handed_in: HandedIn,
}

/// What a collector handed in.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct HandedIn {
    /// Attachments to be.
    pub drafts: Vec<Draft>,
    /// What was left out, and why.
    pub decisions: Vec<Decision>,
    /// What became known of files without a word to the model.
    pub states: Vec<StateChange>,
    /// What the ledger is to remember without a word to the model.
    pub keys: Vec<DeliveryKey>,
    /// Events of the host that are done with and have nothing to say to anybody.
    pub settled: Vec<HostEvent>,
    /// Touched paths that could not be looked at now, for the next request.
    pub again: Vec<Touched>,
}

impl Outbox {
    /// An open, empty one.
    pub fn new() -> Self {
        Self::default()
    }

    fn with<T>(&self, act: impl FnOnce(&mut Collected) -> T) -> T {
        // A panic while the lock is held can only come from an allocation failure; the data stays usable.
        let mut collected = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        act(&mut collected)
    }

    /// Hands in a draft.
    ///
    /// # Errors
    /// The deadline has passed: the draft does not count.
    pub fn push(&self, draft: Draft) -> Result<(), Closed> {
        self.with(|collected| {
            if collected.closed {
                return Err(Closed);
            }
            collected.handed_in.drafts.push(draft);
            Ok(())
        })
    }

    /// Hands in a decision.
    ///
    /// # Errors
    /// The deadline has passed.
    pub fn decide(&self, decision: Decision) -> Result<(), Closed> {
        self.with(|collected| {
            if collected.closed {
                return Err(Closed);
            }
            collected.handed_in.decisions.push(decision);
            Ok(())
        })
    }

    /// Hands in what became known of a file without a word to the model.
    ///
    /// # Errors
    /// The deadline has passed.
    pub fn learn(&self, state: StateChange) -> Result<(), Closed> {
        self.with(|collected| {
            if collected.closed {
                return Err(Closed);
            }
            collected.handed_in.states.push(state);
            Ok(())
        })
    }

    /// Hands in what the ledger is to remember without a word to the model, such as when something was first seen.
    ///
    /// # Errors
    /// The deadline has passed.
    pub fn remember(&self, key: DeliveryKey) -> Result<(), Closed> {
        self.with(|collected| {
            if collected.closed {
                return Err(Closed);
            }
            collected.handed_in.keys.push(key);
            Ok(())
        })
    }

    /// Takes an event of the host for delivered that has nothing to say to anybody: the history keeps it, so that it is not
    /// looked at again.
    ///
    /// # Errors
    /// The deadline has passed: the event still waits.
    pub fn settle(&self, event: HostEvent) -> Result<(), Closed> {
        self.with(|collected| {
            if collected.closed {
                return Err(Closed);
            }
            collected.handed_in.settled.push(event);
            Ok(())
        })
    }

    /// Has a touched path come with the next request too, since it could not be looked at now.
    ///
    /// # Errors
    /// The deadline has passed.
    pub fn again(&self, touched: Touched) -> Result<(), Closed> {
        self.with(|collected| {
            if collected.closed {
                return Err(Closed);
            }
            collected.handed_in.again.push(touched);
            Ok(())
        })
    }

    /// Closes it and takes what is in it.
    pub fn close(&self) -> HandedIn {
        self.with(|collected| {
            collected.closed = true;
            std::mem::take(&mut collected.handed_in)
        })
    }
}

/// Whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Thread {
    /// The conversation with the user.
    #[default]
    Main,
    /// A sub-agent's.
    Agent(String),
}

/// Which attachments a session wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttachmentMode {
    /// All.
    #[default]
    On,
    /// Mentions, queue and memory.
    Simple,
    /// The queue.
    Off,
}

impl AttachmentMode {
    /// Of two modes the one with fewer attachments.
    pub fn fewer(self, other: Self) -> Self {
        match (self, other) {
            (Self::Off, _) | (_, Self::Off) => Self::Off,
            (Self::Simple, _) | (_, Self::Simple) => Self::Simple,
            (Self::On, Self::On) => Self::On,
        }
    }
}

/// What the user asks in a turn; `None` in a [`TurnView`] is a continuation after tool results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnInput {
    /// The text as typed.
    pub text: Arc<str>,
    /// Pasted pictures.
    pub images: Vec<PastedImage>,
    /// Whether it is the host's word and not a person's.
    pub is_meta: bool,
}

/// What a collector sees of a turn. Owned and cheap to clone, so that a run can be abandoned.
#[derive(Debug, Clone)]
pub struct TurnView(Arc<TurnParts>);

impl TurnView {
    /// A view of the parts.
    pub fn new(parts: TurnParts) -> Self {
        Self(Arc::new(parts))
    }
}

impl std::ops::Deref for TurnView {
    type Target = TurnParts;
    fn deref(&self) -> &TurnParts {
        &self.0
    }
}

/// The parts of a [`TurnView`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnParts {
    /// The history, oldest first.
    pub history: Arc<Vec<Arc<Entry>>>,
    /// What was delivered so far.
    pub ledger: Arc<Ledger>,
    /// Number of the request that is being made, counted from 1.
    pub turn: u64,
    /// What the user asks; `None` for the request after tool results.
    pub input: Option<TurnInput>,
    /// Whose turn it is.
    pub thread: Thread,
    /// What the host knows.
    pub host: Arc<HostSnapshot>,
    /// Events of the host that wait, in order of arrival.
    pub events: Arc<Vec<HostEvent>>,
    /// Paths touched since the last request, mentions of this input included once the input stage is over.
    pub touched: Arc<Vec<Touched>>,
    /// What the model has seen of files.
    pub files: StatesView,
    /// What memory and rules hang on: the session's first working directory, and what was approved.
    pub memory: MemoryScope,
    /// The working directory now: mentions and shown paths hang on it.
    pub cwd: PathBuf,
    /// The time of the turn.
    pub now: Timestamp,
    /// The local date of the turn.
    pub today: Date,
    /// What the host wants skills named for that fit it, with the next words of a user.
    pub skills_about: Option<Arc<str>>,
    /// Size of the context window, tokens.
    pub window: u64,
    /// Tokens at which the history is summarised by itself; `None` where it never is.
    pub compacts_at: Option<u64>,
    /// Which attachments are wanted.
    pub attachments: AttachmentMode,
    /// Where bytes of the session last that its entries only name; `None` where nothing can be put aside.
    pub blobs: Option<SessionBlobs>,
    /// What of the context is left out.
    pub profile: ContextProfile,
    /// Said when the turn is given up or its deadline has passed.
    pub cancel: Cancel,
    /// When collecting has to be over; a collector with several slow things to look at hands in what it has before.
    pub deadline: Option<Instant>,
}

impl TurnParts {
    /// A turn without a history, at a time and place.
    pub fn new(cwd: PathBuf, now: Timestamp, today: Date) -> Self {
        Self {
            history: Arc::default(),
            ledger: Arc::default(),
            turn: 1,
            input: None,
            thread: Thread::Main,
            host: Arc::default(),
            events: Arc::default(),
            touched: Arc::default(),
            files: StatesView::default(),
            memory: MemoryScope::default().cwd(cwd.clone()),
            cwd,
            now,
            today,
            skills_about: None,
            window: 200_000,
            compacts_at: None,
            attachments: AttachmentMode::On,
            blobs: None,
            profile: ContextProfile::default(),
            cancel: Cancel::new(),
            deadline: None,
        }
    }
}
