//! The form of a request: one provider's.

use agent_core::context_api::{Decision, Dialect, DialectError, EncodedRequest, ModelRequest, ViewEdit};
use agent_core::dialects::{Anthropic, Gemini, OpenAiChat, OpenAiResponses};

use crate::cli::Format;

/// One of the dialects, chosen when the program runs.
pub(crate) struct Form(Box<dyn Dialect>);

impl Form {
    /// The dialect of a format.
    pub(crate) fn of(format: Format) -> Self {
        Self(match format {
            Format::Anthropic => Box::new(Anthropic::default()),
            Format::OpenaiResponses => Box::new(OpenAiResponses::default()),
            Format::OpenaiChat => Box::new(OpenAiChat::default()),
            Format::Gemini => Box::new(Gemini::default()),
        })
    }
}

impl Dialect for Form {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn encode(&self, request: &ModelRequest) -> Result<EncodedRequest, DialectError> {
        self.0.encode(request)
    }

    fn check(&self, request: &ModelRequest, accepted: usize) -> Result<Vec<Decision>, DialectError> {
        self.0.check(request, accepted)
    }

    fn remedies(&self, request: &ModelRequest) -> Vec<(ViewEdit, Decision)> {
        self.0.remedies(request)
    }
}
