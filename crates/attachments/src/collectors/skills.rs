//! What the model is told of skills.

mod available;
mod discovery;
mod invoked;
mod listing;

pub use discovery::SkillDiscoveryCollector;
pub use invoked::{InvokedSkillsCollector, invoked_skill};
pub use listing::SkillListingCollector;
