//! What is asked of a session.

use std::time::Duration;

use context_api::{HostSnapshot, PastedImage, Thread, TurnInput};

/// One request to be made: with new input, or after tool results.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Turn {
    /// What the user asks; `None` after tool results.
    pub input: Option<TurnInput>,
    /// What the host knows; `None`: as before.
    pub host: Option<HostSnapshot>,
    /// Whose turn it is; `None`: the session's.
    pub thread: Option<Thread>,
    /// Time for all collectors together; `None`: as the limits of the bus say.
    pub deadline: Option<Duration>,
    /// How long to wait for memories that match the input; `None`: as the limits of the engine say.
    pub memories_wait: Option<Duration>,
}

impl Turn {
    /// New input.
    pub fn prompt(text: impl Into<std::sync::Arc<str>>) -> Self {
        Self { input: Some(TurnInput { text: text.into(), ..TurnInput::default() }), ..Self::default() }
    }

    /// The request after tool results, without new input.
    pub fn continuation() -> Self {
        Self::default()
    }

    /// Adds pasted pictures to the input.
    pub fn images(mut self, images: Vec<PastedImage>) -> Self {
        self.input.get_or_insert_default().images = images;
        self
    }

    /// What the host knows.
    pub fn host(mut self, host: HostSnapshot) -> Self {
        self.host = Some(host);
        self
    }

    /// Time for all collectors together.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// How long to wait for memories that match the input.
    pub fn memories_wait(mut self, wait: Duration) -> Self {
        self.memories_wait = Some(wait);
        self
    }

    /// Whose turn it is.
    pub fn thread(mut self, thread: Thread) -> Self {
        self.thread = Some(thread);
        self
    }
}
