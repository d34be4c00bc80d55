//! A [`ModelRequest`] becomes a provider's wire JSON, and what that provider would refuse is
//! found before anything is sent.
//!
//! [`Anthropic`] writes the Messages API. Each dialect has its provider's limits as data ([`AnthropicLimits`]); what breaks
//! one is a [`Fault`], which names the place, the entry, and the edit that takes one bad block out of view for good.
//!
//! ```
//! use context_api::{ContentBlock, ModelBlock, ModelMessage, ModelRequest, Role};
//! let mut request = ModelRequest::default();
//! request.model = "some-model".into();
//! request.max_tokens = 1024;
//! request.messages = vec![
//!     ModelMessage::new(Role::User, vec![ModelBlock::plain(ContentBlock::text(" "))]).into()
//! ];
//! let faults = dialects::Anthropic::default().faults(&request);
//! assert_eq!((faults[0].place.as_str(), faults[0].problem.as_str()), ("messages[0].content[0]", "its text is empty"));
//! ```

mod json;
mod kept;
mod media;
mod seat;
mod size;
mod wording;

mod check;
mod fault;
mod ids;
mod losses;
mod rules;

mod anthropic;
mod gemini;
mod openai;
mod openai_chat;
mod openai_responses;

use context_api::{Decision, DialectError, EncodedRequest, ModelRequest};

pub use anthropic::{Anthropic, AnthropicLimits};
pub use fault::Fault;
pub use gemini::{Gemini, GeminiLimits};
pub use openai::OpenAiLimits;
pub use openai_chat::OpenAiChat;
pub use openai_responses::OpenAiResponses;

use rules::Rules;

/// What a provider takes: its name, its rules, and the bytes of a body at most.
struct Taker {
    name: &'static str,
    rules: Rules,
    body_bytes: u64,
}

impl Taker {
    /// Refuses what breaks the rules; the first `accepted` messages were taken before.
    fn obeys(&self, request: &ModelRequest, accepted: usize) -> Result<(), DialectError> {
        let faults = check::faults(request, &self.rules, accepted);
        faults.first().map_or(Ok(()), |fault| Err(fault.error(self.name)))
    }

    /// The body that `write` makes of a request, where it is taken.
    fn encoded(
        &self,
        request: &ModelRequest,
        accepted: usize,
        write: impl FnOnce() -> (Vec<u8>, Vec<Decision>),
    ) -> Result<EncodedRequest, DialectError> {
        self.obeys(request, accepted)?;
        let (body, decisions) = write();
        too_large(self.name, &body, self.body_bytes)?;
        let mut encoded = EncodedRequest::new(body);
        encoded.decisions = decisions;
        Ok(encoded)
    }
}

/// Refuses a body over a provider's limit.
fn too_large(dialect: &str, body: &[u8], most: u64) -> Result<(), DialectError> {
    if body.len() as u64 <= most {
        return Ok(());
    }
    Err(Fault::new("body", format!("it has {} bytes and {most} are the limit", body.len())).error(dialect))
}
