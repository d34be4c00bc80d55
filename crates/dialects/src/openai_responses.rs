//! The OpenAI Responses API.

mod write;

use context_api::{ContentBlock, Decision, Dialect, DialectError, EncodedRequest, ModelRequest, ViewEdit};
use serde::Deserialize;

use crate::fault::remedies;
use crate::ids::IdRule;
use crate::openai::no_thinking;
use crate::{Fault, OpenAiLimits, Taker, check};

/// Types of items that a model's answer consists of and that go back as they came.
const ITEMS: [&str; 4] = ["reasoning", "item_reference", "web_search_call", "file_search_call"];

/// Writes the body of `POST /v1/responses`, stateless: the whole conversation, nothing stored.
///
/// Prefixes are cached by the provider without marks; [`OpenAiResponses::cache_key`] keeps a session's requests together.
/// Thinking of other providers is left out; what an own answer thought is an unknown block of type `reasoning` and goes
/// back unchanged.
///
/// ```
/// use context_api::{ContentBlock, Dialect, ModelBlock, ModelMessage, ModelRequest, Role};
/// let mut request = ModelRequest::default();
/// request.model = "some-model".into();
/// request.max_tokens = 1024;
/// let hello = ModelBlock::plain(ContentBlock::text("Hello"));
/// request.messages = vec![ModelMessage::new(Role::User, vec![hello]).into()];
/// let body = dialects::OpenAiResponses::default().encode(&request)?.body;
/// assert!(String::from_utf8_lossy(&body).ends_with(
///     r#""input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]}]}"#
/// ));
/// # Ok::<(), context_api::DialectError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenAiResponses {
    limits: OpenAiLimits,
    stream: bool,
    cache_key: Option<String>,
}

impl OpenAiResponses {
    const NAME: &str = "openai-responses";

    /// With other limits.
    pub fn limits(mut self, limits: OpenAiLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether the body asks for a stream of events.
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
        IdRule { chars: self.limits.response_id_chars, words: false }
    }

    fn taker(&self) -> Taker {
        let rules = self.limits.rules(self.limits.response_output_tokens, carries);
        Taker { name: Self::NAME, rules, body_bytes: self.limits.body_bytes }
    }

    /// The body of a request whose first `accepted` messages were taken before.
    fn encoded(&self, request: &ModelRequest, accepted: usize) -> Result<EncodedRequest, DialectError> {
        self.taker().encoded(request, accepted, || write::body(request, self))
    }
}

impl Dialect for OpenAiResponses {
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
        ContentBlock::Unknown(raw) => {
            #[derive(Deserialize)]
            struct Tag {
                #[serde(rename = "type")]
                tag: String,
            }
            raw.read::<Tag>().is_ok_and(|Tag { tag }| ITEMS.contains(&tag.as_str()))
        }
        other => no_thinking(other),
    }
}
