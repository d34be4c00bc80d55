//! Compaction: what is summarised, what stays, what comes back.

mod cut;
mod impossible;
mod restore;
mod summary;
mod working_set;

pub use cut::{Cut, oldest};
pub use impossible::BudgetImpossible;
pub use restore::{RecentFile, recent_files};
pub use summary::{StandardSummaryPrompt, SummaryAsk, SummaryPrompt, without_media};
pub use working_set::{Form, WorkingItem, WorkingSet};
