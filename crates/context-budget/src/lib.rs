//! How many tokens a request is, and where they are.
//!
//! A [`TokenCounter`](context_api::TokenCounter) such as [`EstimateCounter`] says what a text or picture costs;
//! [`Provenance`] says what the entries behind a request are; [`ContextUsage`] is the tree of both.
//!
//! ```
//! use context_api::{ContentBlock, ModelBlock, ModelMessage, ModelRequest, Role};
//! use context_budget::{ContextUsage, EstimateCounter, Provenance};
//!
//! let mut request = ModelRequest::default();
//! let block = ModelBlock::plain(ContentBlock::text("How does the parser work?"));
//! request.messages = vec![ModelMessage::new(Role::User, vec![block]).into()];
//! let usage = ContextUsage::of(&request, &Provenance::default(), &EstimateCounter::default()).window(200_000);
//! assert_eq!(usage.leaves()[0].label, "User text");
//! assert_eq!(usage.free, 200_000 - usage.total);
//! ```

mod limits;
mod wording;

mod cost;
mod estimate;
mod media;
#[cfg(feature = "o200k")]
mod o200k;
mod tally;

mod provenance;
mod row;
mod usage;

mod anchored;
mod compaction;
mod fit;
mod forgotten;
mod stages;

pub use anchored::{AnchoredCounter, Ratio};
pub use compaction::{
    BudgetImpossible, Cut, Form, RecentFile, StandardSummaryPrompt, SummaryAsk, SummaryPrompt, WorkingItem,
    WorkingSet, oldest, recent_files, without_media,
};
pub use estimate::EstimateCounter;
pub use fit::lighten;
pub use forgotten::{forgotten, untold};
pub use limits::{CompactionLimits, Limits, StageLimits, room};
#[cfg(feature = "o200k")]
pub use o200k::O200kCounter;
pub use provenance::{Origin, Part, Provenance};
pub use row::UsageRow;
pub use stages::{Collapse, Duplicates, Microcompact, Pipeline, ResultBudget, Snip};
pub use tally::{Tally, block_tokens, fixed_tokens, request_tokens};
pub use usage::{Advice, AdviceLimits, ContextUsage};
