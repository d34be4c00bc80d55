//! The OpenAI Chat Completions API, which many other servers speak too.

mod write;

use context_api::{
    ContentBlock, Decision, Dialect, DialectError, EncodedRequest, MediaSource, ModelRequest, ViewEdit,
};

use crate::fault::remedies;
use crate::ids::IdRule;
use crate::openai::no_thinking;
use crate::{Fault, OpenAiLimits, Taker, check};

/// Writes the body of `POST /v1/chat/completions`.
///
/// Prefixes are cached by the provider without marks; [`OpenAiChat::cache_key`] keeps a session's requests together.
/// Thinking and documents by address have no place here and are left out with a decision; pictures and documents of tool
/// results follow the results in a message of the user.
///
/// ```
/// use context_api::{ContentBlock, Dialect, ModelBlock, ModelMessage, ModelRequest, Role};
/// let mut request = ModelRequest::default();
/// request.model = "some-model".into();
/// request.max_tokens = 1024;
/// let hello = ModelBlock::plain(ContentBlock::text("Hello"));
/// request.messages = vec![ModelMessage::new(Role::User, vec![hello]).into()];
/// let body = dialects::OpenAiChat::default().encode(&request)?.body;
/// assert_eq!(
///     String::from_utf8_lossy(&body),
///     r#"{"model":"some-model","max_completion_tokens":1024,"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}"#
/// );
/// # Ok::<(), context_api::DialectError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenAiChat {
    limits: OpenAiLimits,
    stream: bool,
    cache_key: Option<String>,
}

impl OpenAiChat {
    const NAME: &str = "openai-chat";

    /// With other limits.
    pub fn limits(mut self, limits: OpenAiLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether the body asks for a stream of events, with the usage at its end.
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// A name for requests that share a prefix, such as the session's.
    pub fn cache_key(mut self, key: impl Into<String>) -> Self {
        self.cache_key = Some(key.into());
        self
    }

    /// Everything in `request` that the provider would refuse, but for the size of the whole body.
    pub fn faults(&self, request: &ModelRequest) -> Vec<Fault> {
        check::faults(request, &self.taker().rules, 0)
    }

    fn ids(&self) -> IdRule {
        IdRule { chars: self.limits.chat_id_chars, words: false }
    }

    fn taker(&self) -> Taker {
        let rules = self.limits.rules(1, carries);
        Taker { name: Self::NAME, rules, body_bytes: self.limits.body_bytes }
    }

    /// The body of a request whose first `accepted` messages were taken before.
    fn encoded(&self, request: &ModelRequest, accepted: usize) -> Result<EncodedRequest, DialectError> {
        self.taker().encoded(request, accepted, || write::body(request, self))
    }
}

impl Dialect for OpenAiChat {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, DialectError> {
        self.encoded(request, 0)
    }

    fn check(&self, request: &ModelRequest, accepted: usize) -> Result<Vec<Decision>, DialectError> {
        Ok(self.encoded(request, accepted)?.decisions)
    }

    fn remedies(&self, request: &ModelRequest) -> Vec<(ViewEdit, Decision)> {
        remedies(&self.faults(request))
    }
}

/// Whether the form has a place for a block.
fn carries(content: &ContentBlock) -> bool {
    match content {
        ContentBlock::Unknown(_) => false,
        ContentBlock::Document(block) => !matches!(block.source, MediaSource::Url { .. }),
        other => no_thinking(other),
    }
}
