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

mod estimate;
mod media;

mod provenance;
mod row;
mod usage;

pub use estimate::EstimateCounter;
pub use limits::Limits;
pub use provenance::{Origin, Part, Provenance};
pub use row::UsageRow;
pub use usage::{Advice, ContextUsage};
