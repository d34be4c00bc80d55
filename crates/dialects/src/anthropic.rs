//! The Anthropic Messages API.

mod limits;
mod write;

use context_api::{ContentBlock, Decision, Dialect, DialectError, EncodedRequest, ModelRequest, ViewEdit};

pub use limits::AnthropicLimits;

use crate::fault::remedies;
use crate::ids::IdRule;
use crate::kept::Kept;
use crate::size::most_bytes;
use crate::{Fault, Taker, check};

/// Writes the body of `POST /v1/messages`.
///
/// Messages that earlier requests share are not encoded again. Fields stand in the order of the provider's prefix: tools, system, messages. Content is always an array of blocks.
/// Tool inputs and schemas keep their bytes, but for halves of surrogate pairs, which no reader would take.
///
/// ```
/// use context_api::{ContentBlock, Dialect, ModelBlock, ModelMessage, ModelRequest, Role};
/// let mut request = ModelRequest::default();
/// request.model = "some-model".into();
/// request.max_tokens = 1024;
/// let hello = ModelBlock::plain(ContentBlock::text("Hello"));
/// request.messages = vec![ModelMessage::new(Role::User, vec![hello]).into()];
/// let body = dialects::Anthropic::default().encode(&request)?.body;
/// assert_eq!(
///     String::from_utf8_lossy(&body),
///     r#"{"model":"some-model","max_tokens":1024,"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}"#
/// );
/// # Ok::<(), context_api::DialectError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Anthropic {
    limits: AnthropicLimits,
    stream: bool,
    kept: Kept,
}

/// Ids consist of letters, digits, `_` and `-`, however many.
const IDS: IdRule = IdRule { chars: usize::MAX, words: true };

/// Thinking that this provider did not sign is refused, so it is left out.
fn carries(content: &ContentBlock) -> bool {
    !matches!(content, ContentBlock::Thinking(block) if block.signature.is_empty())
}

impl Anthropic {
    const NAME: &str = "anthropic";

    /// With other limits.
    pub fn limits(mut self, limits: AnthropicLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether the body asks for a stream of events.
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// Everything in `request` that the provider would refuse, but for the size of the whole body.
    pub fn faults(&self, request: &ModelRequest) -> Vec<Fault> {
        check::faults(request, &self.taker().rules, 0)
    }

    fn taker(&self) -> Taker {
        Taker { name: Self::NAME, rules: self.limits.rules(), body_bytes: self.limits.body_bytes }
    }
}

impl Dialect for Anthropic {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, DialectError> {
        let write = || write::body(request, self.stream, self.kept.round(self.limits.kept_bytes));
        self.taker().encoded(request, 0, write)
    }

    fn check(&self, request: &ModelRequest, accepted: usize) -> Result<Vec<Decision>, DialectError> {
        if most_bytes(request) > self.limits.body_bytes {
            // Only the body tells how long it is.
            return Ok(self.encode(request)?.decisions);
        }
        self.taker().obeys(request, accepted)?;
        Ok(write::left_out(request))
    }

    fn remedies(&self, request: &ModelRequest) -> Vec<(ViewEdit, Decision)> {
        remedies(&self.faults(request))
    }
}
