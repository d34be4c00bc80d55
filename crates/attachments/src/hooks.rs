//! What hooks answered, read from their raw output.

mod answer;
mod background;
mod keep;
mod limits;
mod read;
mod text;

use answer::{Answer, parse};
pub(crate) use background::background;
pub(crate) use keep::Keep;
pub use limits::HookLimits;
pub(crate) use read::hook_parts;
use text::{Bounded, subject};
