//! What would be free.

use std::collections::BTreeMap;

use context_api::{HistoryStage, HistoryView, StageBudget};

use crate::row::UsageRow;
use crate::{AdviceLimits, CompactionLimits, ContextUsage, Cut, Duplicates, Microcompact, StageLimits};

impl ContextUsage {
    /// The same with what microcompact, a summary, or going without one of the largest files would free, in tokens. Asks
    /// no model and changes nothing. The second value are results that a later one repeats.
    pub fn forecast(
        mut self,
        view: &HistoryView,
        budget: &StageBudget<'_>,
        stages: &StageLimits,
        limits: &CompactionLimits,
        advice: &AdviceLimits,
    ) -> (Self, usize) {
        let cleared = Microcompact::new(stages.clone()).forecast(view, budget);
        let cut = Cut::of(view, budget.room, limits);
        let summary = limits.summary(budget.room).min(cut.gone_tokens);
        let mut forecast = BTreeMap::from([
            ("microcompact".to_owned(), cleared),
            ("compact".to_owned(), cut.gone_tokens - summary),
        ]);
        let mut sources: Vec<&UsageRow> =
            self.rows.iter().flat_map(UsageRow::leaves).filter(|row| row.source.is_some()).collect();
        sources.sort_by(|one, two| two.tokens.cmp(&one.tokens).then(one.source.cmp(&two.source)));
        for row in sources.into_iter().take(advice.forecast_files) {
            if let Some(source) = &row.source {
                *forecast.entry(format!("without {}", context_text::display_path(source))).or_default() +=
                    row.tokens;
            }
        }
        self.forecast = forecast;
        let mut anyway = stages.clone();
        anyway.repeated_tokens = 1;
        let superseded = Duplicates::new(anyway).plan(view, budget).edits.len();
        (self, superseded)
    }
}
