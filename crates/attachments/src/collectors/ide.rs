//! What the editor has in focus.

mod guard;
mod limits;
mod opened;
mod selection;

pub(super) use guard::Guard;
pub use limits::IdeLimits;
pub use opened::OpenedFileCollector;
pub use selection::SelectionCollector;
