//! The system prompt, the order of a request, and where its cache breaks.
//!
//! A [`SectionRegistry`] holds the named sections of the base prompt; [`BasePrompt`] says which prompt holds; [`assemble`]
//! puts [`RequestParts`] in order as a [`ModelRequest`](context_api::ModelRequest) with its cache breakpoints;
//! [`CacheReport`] says how much of it a provider can reuse, and what is to blame for the rest.
//!
//! ```
//! use context_api::{PromptFacts, SystemPrompt};
//! use prompt_assembly::{RequestParts, SectionRegistry, assemble};
//!
//! let sections = SectionRegistry::standard().sections(&PromptFacts::default().model("some-model"));
//! let (request, decisions) = assemble(RequestParts::default().model("some-model").sections(sections));
//! assert_eq!(request.system.len(), 2, "what is the same for everybody, and what is this session's");
//! assert!(decisions.is_empty());
//! ```

mod limits;
mod setters;
mod wording;

mod base;
mod registry;
mod spec;

mod assemble;
mod marks;
mod parts;
mod system;
mod tools;

mod guard;
mod report;

pub use assemble::{assemble, assemble_with};
pub use base::BasePrompt;
pub use guard::{CacheBreach, CacheGuard};
pub use limits::Limits;
pub use parts::RequestParts;
pub use registry::{SectionRegistry, UnknownSection};
pub use report::{Blame, CacheReport, Cause, Change, Difference};
pub use spec::SectionSpec;
pub use system::{CONTEXT_KEY, HEADER_KEY};
