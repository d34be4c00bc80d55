//! A request that fits the window.

use std::sync::Arc;

use context_api::{Decision, EntryKind, ModelRequest, Verdict};
use context_budget::{forgotten, lighten, untold};

use super::Session;
use super::line::Line;
use super::prepare::Asked;
use crate::Error;
use crate::context::Context;

impl Session {
    /// The request, made to fit: what is cheap to lose goes first, then the history is summarised.
    pub(super) async fn fitting_request(
        &self,
        context: &mut Option<Context>,
        asked: &Asked<'_>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) -> Result<Arc<ModelRequest>, Error> {
        for step in 0..4 {
            let mut said = Vec::new();
            let request = self.request(context.as_ref(), asked.tools, line, &mut said)?;
            let used = self.used(&request);
            let over = self.memory.lock().ratio.scale(used).saturating_sub(self.room());
            if over == 0 {
                decisions.extend(said);
                return Ok(request);
            }
            match step {
                0 | 2 => self.lighten(&request, over, line, decisions),
                1 => self.summarise_to_fit(context, asked, line, decisions).await,
                _ => return Err(self.too_large(&request, context.as_ref(), line, used).await),
            }
        }
        Err(Error::Build { part: "request", reason: "it was not made to fit".to_owned() })
    }

    fn lighten(&self, request: &ModelRequest, over: u64, line: &mut Line<'_>, decisions: &mut Vec<Decision>) {
        let fixed = self.memory.lock().fixed(request, &*self.parts.budget.counter);
        let view = self.taken(fixed, &request.messages, &line.entries).view;
        let planned = lighten(&view, over, &*self.parts.budget.counter);
        let (gone, untold) = (forgotten(&view, &planned.edits), untold(&view, &planned.edits));
        for edit in planned.edits {
            line.push(EntryKind::ViewEdit(edit));
        }
        line.push_note(gone, untold);
        decisions.extend(planned.decisions);
    }

    async fn summarise_to_fit(
        &self,
        context: &mut Option<Context>,
        asked: &Asked<'_>,
        line: &mut Line<'_>,
        decisions: &mut Vec<Decision>,
    ) {
        let now = context.as_ref().unwrap_or(&self.context);
        match self.compacted(now, asked.host, asked.tools, line, decisions).await {
            Ok(anew) => *context = Some(anew),
            Err(error) => {
                let detail = format!("The request does not fit the window and was not summarised: {error}.");
                decisions.push(Decision::new("history", Verdict::Failed, error.reason(), detail));
            }
        }
    }

    async fn too_large(
        &self,
        request: &ModelRequest,
        context: Option<&Context>,
        line: &Line<'_>,
        tokens: u64,
    ) -> Error {
        let context = context.unwrap_or(&self.context);
        let history: Vec<_> = self.history.iter().chain(&line.entries).cloned().collect();
        let measure = crate::usage::Measure::of(&self.parts);
        let usage = match &context.memory_files[..] {
            // A resumed session shows memory as it was and holds no files.
            [] => {
                let now = crate::context::memory_of(&self.parts, &self.scope, &mut Vec::new()).await;
                measure.usage(request, &history, &now)
            }
            files => measure.usage(request, &history, files),
        };
        // One figure: what the breakdown adds up to, which never lies below what was looked at.
        let tokens = tokens.max(usage.total);
        Error::ContextTooLarge { tokens, room: self.room(), usage: Box::new(usage) }
    }
}
