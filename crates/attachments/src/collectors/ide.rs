//! What the editor has in focus.

mod guard;
mod limits;
mod opened;
mod selection;

pub(super) use guard::{denied, rule_against_name};
pub use limits::IdeLimits;
pub use opened::OpenedFileCollector;
pub use selection::SelectionCollector;
