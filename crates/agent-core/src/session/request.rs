//! The request of a history: put together, and acceptable to the provider.

use std::sync::Arc;

use context_api::{Decision, EntryKind, ModelRequest, ToolSpec, ViewEdit};
use projector::Normalised;
use prompt_assembly::{RequestParts, assemble};

use super::Session;
use super::line::Line;
use crate::Error;
use crate::context::Context;

impl Session {
    /// The request, acceptable to the provider: what it would refuse of single blocks is taken out of view by edits, once and
    /// for good.
    pub(super) fn request(
        &self,
        context: Option<&Context>,
        tools: Option<&[ToolSpec]>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Result<Arc<ModelRequest>, Error> {
        let context = context.unwrap_or(&self.context);
        let mut seen = self.projected.preview(&line.entries);
        // A call that is answered with an interruption now stays interrupted, whatever comes for it later.
        if !seen.unanswered.is_empty() {
            for tool_use_id in seen.unanswered {
                line.push(EntryKind::ViewEdit(ViewEdit::Interrupted { tool_use_id }));
            }
            seen = self.projected.preview(&line.entries);
        }
        for _ in 0..self.parts.options.limits.mending_rounds {
            let (request, said) = self.of_messages(context, tools, seen);
            let Some(dialect) = &self.parts.dialect else {
                decisions.extend(said);
                return Ok(Arc::new(request));
            };
            match dialect.check(&request, self.accepted(&request)) {
                Ok(checked) => {
                    decisions.extend(said);
                    decisions.extend(checked);
                    return Ok(Arc::new(request));
                }
                Err(error) => {
                    let remedies = dialect.remedies(&request);
                    if remedies.is_empty() {
                        return Err(error.into());
                    }
                    for (edit, decision) in remedies {
                        line.push(EntryKind::ViewEdit(edit));
                        decisions.push(decision);
                    }
                }
            }
            seen = self.projected.preview(&line.entries);
        }
        let (request, said) = self.of_messages(context, tools, seen);
        decisions.extend(said);
        if let Some(dialect) = &self.parts.dialect {
            dialect.check(&request, self.accepted(&request))?;
        }
        Ok(Arc::new(request))
    }

    /// How many messages the dialect took with the request before, the same ones from the first on.
    fn accepted(&self, request: &ModelRequest) -> usize {
        let Some((_, before)) = self.previous.as_ref().filter(|_| !self.is_other) else { return 0 };
        let pairs = before.messages.iter().zip(&request.messages);
        pairs.take_while(|(one, other)| Arc::ptr_eq(one, other)).count()
    }

    /// Everything of a request but its messages.
    pub(super) fn request_parts(&self, context: &Context, tools: Option<&[ToolSpec]>) -> RequestParts {
        let options = &self.parts.options;
        RequestParts::default()
            .model(options.model.clone())
            .header(options.header.clone())
            .sections((*context.sections).clone())
            .system_context(context.record.system.clone())
            .tools(tools.unwrap_or_default().to_vec())
            .max_tokens(options.max_tokens)
            .thinking(options.thinking)
    }

    /// The request of some messages.
    pub(super) fn of_messages(
        &self,
        context: &Context,
        tools: Option<&[ToolSpec]>,
        normalised: Normalised,
    ) -> (ModelRequest, Vec<Decision>) {
        let newest = normalised.messages.len().checked_sub(1);
        let parts =
            self.request_parts(context, tools).messages(normalised.messages).newest_turn_start(newest);
        let (request, losses) = assemble(parts);
        let mut decisions = normalised.decisions;
        decisions.extend(losses);
        (request, decisions)
    }
}
