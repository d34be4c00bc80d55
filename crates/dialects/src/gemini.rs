//! The Gemini API.

mod limits;
mod write;

use context_api::{
    ContentBlock, Decision, Dialect, DialectError, EncodedRequest, MediaSource, ModelRequest, ViewEdit,
};

pub use limits::GeminiLimits;

use crate::fault::remedies;
use crate::openai::no_thinking;
use crate::{Fault, Taker, check};

/// Writes the body of `models/MODEL:generateContent`. The model stands in the address and not in the body, as does whether
/// the answer is streamed.
///
/// Prefixes are cached by the provider without marks. Thinking of other providers is left out. Results stand in the order
/// of their calls, since this form matches them by it; pictures and documents of results follow them.
///
/// ```
/// use context_api::{ContentBlock, Dialect, ModelBlock, ModelMessage, ModelRequest, Role};
/// let mut request = ModelRequest::default();
/// request.model = "some-model".into();
/// request.max_tokens = 1024;
/// let hello = ModelBlock::plain(ContentBlock::text("Hello"));
/// request.messages = vec![ModelMessage::new(Role::User, vec![hello]).into()];
/// let body = dialects::Gemini::default().encode(&request)?.body;
/// assert_eq!(
///     String::from_utf8_lossy(&body),
///     r#"{"generationConfig":{"maxOutputTokens":1024},"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}"#
/// );
/// # Ok::<(), context_api::DialectError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gemini {
    limits: GeminiLimits,
    call_signature: Option<String>,
}

impl Gemini {
    const NAME: &str = "gemini";

    /// With other limits.
    pub fn limits(mut self, limits: GeminiLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The signature that goes with each call of a tool. Newer models refuse a call without one; the provider documents a
    /// fixed text for calls that it did not make itself.
    pub fn call_signature(mut self, signature: impl Into<String>) -> Self {
        self.call_signature = Some(signature.into());
        self
    }

    /// Everything in `request` that the provider would refuse, but for the size of the whole body.
    pub fn faults(&self, request: &ModelRequest) -> Vec<Fault> {
        check::faults(request, &self.taker().rules, 0)
    }

    fn taker(&self) -> Taker {
        let rules = self.limits.rules();
        Taker { name: Self::NAME, rules, body_bytes: self.limits.body_bytes }
    }

    /// The body of a request whose first `accepted` messages were taken before.
    fn encoded(&self, request: &ModelRequest, accepted: usize) -> Result<EncodedRequest, DialectError> {
        self.taker().encoded(request, accepted, || write::body(request, self.call_signature.as_deref()))
    }
}

impl Dialect for Gemini {
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

/// Whether the form has a place for a block. Media by address need a type, which is read off the address.
fn carries(content: &ContentBlock) -> bool {
    match content {
        ContentBlock::Unknown(_) => false,
        ContentBlock::Image(block) => has_type(&block.source),
        ContentBlock::Document(block) => has_type(&block.source),
        other => no_thinking(other),
    }
}

fn has_type(source: &MediaSource) -> bool {
    media_type(source).is_some()
}

/// The media type of a source; that of an address by how it ends.
fn media_type(source: &MediaSource) -> Option<&str> {
    match source {
        MediaSource::Base64 { media_type, .. } | MediaSource::Blob { media_type, .. } => Some(media_type),
        MediaSource::Url { url } => {
            let path = url.split(['?', '#']).next().unwrap_or(url);
            let ends = |end: &str| path.len() > end.len() && path.to_ascii_lowercase().ends_with(end);
            let types = [
                (".png", "image/png"),
                (".jpg", "image/jpeg"),
                (".jpeg", "image/jpeg"),
                (".webp", "image/webp"),
                (".pdf", "application/pdf"),
            ];
            types.into_iter().find(|(end, _)| ends(end)).map(|(_, media_type)| media_type)
        }
    }
}
