//! Entries of the context that a host adds.

use std::sync::Arc;
use std::time::Instant;

use context_api::{ContextError, ContextPiece, ContextPlace, ContextSource, Decision, MemoryScope, Verdict};

use super::{BREAKER, DATE, GIT, MEMORY, Stale, piece, unfinished};
use crate::offload::{Offloaded, offload};
use crate::parts::Parts;

/// What the sources said: pieces of each context, in the order of registration.
#[derive(Debug, Clone, Default)]
pub(super) struct HostedPieces {
    pub(super) user: Vec<ContextPiece>,
    pub(super) system: Vec<ContextPiece>,
}

/// The sources of the contexts that are stale, under way.
pub(super) struct HostedJob {
    runs: Vec<Run>,
    deadline: Instant,
}

struct Run {
    key: String,
    place: ContextPlace,
    work: Offloaded<Result<Option<String>, ContextError>>,
}

impl HostedJob {
    pub(super) fn start(
        parts: &Arc<Parts>,
        stale: &Stale,
        scope: &MemoryScope,
        decisions: &mut Vec<Decision>,
    ) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for source in parts.context_sources.iter().filter(|source| is_stale(stale, source.place())) {
            let key = source.key().to_owned();
            if [MEMORY, DATE, GIT, BREAKER].contains(&key.as_str()) || runs.iter().any(|run| run.key == key) {
                decisions.push(taken(&key));
                continue;
            }
            runs.push(Run { place: source.place(), work: ask(parts, source, scope), key });
        }
        Self { runs, deadline: Instant::now() + parts.options.limits.memory_wait }
    }

    /// What is there by the time that memory gets.
    pub(super) async fn finish(self, parts: &Parts, decisions: &mut Vec<Decision>) -> HostedPieces {
        let mut pieces = HostedPieces::default();
        for run in self.runs {
            let subject = format!("context {}", run.key);
            let text = match run.work.until(&parts.timer, self.deadline).await {
                Ok(Ok(text)) => text.unwrap_or_default(),
                Ok(Err(error)) => {
                    decisions.push(Decision::failed(subject, "context_source_failed", format!("{error}.")));
                    continue;
                }
                Err(why) => {
                    decisions.push(unfinished(
                        &subject,
                        &why,
                        "The source gave no text; the request goes without it.",
                    ));
                    continue;
                }
            };
            let place = if run.place == ContextPlace::System { &mut pieces.system } else { &mut pieces.user };
            place.extend(piece((&run.key, context_text::neutralise(&text).into_owned())));
        }
        pieces
    }
}

fn is_stale(stale: &Stale, place: ContextPlace) -> bool {
    if place == ContextPlace::System { stale.git } else { stale.user }
}

fn ask(
    parts: &Arc<Parts>,
    source: &Arc<dyn ContextSource>,
    scope: &MemoryScope,
) -> Offloaded<Result<Option<String>, ContextError>> {
    let (source, scope) = (Arc::clone(source), scope.clone());
    offload(&parts.threads, move || source.text(&scope))
}

fn taken(key: &str) -> Decision {
    Decision::new(
        format!("context {key}"),
        Verdict::LeftOut,
        "context_key_taken",
        "Another entry of the context has this key.",
    )
}
