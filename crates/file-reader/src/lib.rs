//! Reads a path the way a model gets to see it.
//!
//! [`StandardReader`] is the engine's own [`FileReader`]: text in any encoding, pictures, PDFs, notebooks and directories,
//! within [`ReadLimits`]. What it gives is the same whether a mention, the check for changed files or an embedder's own read
//! tool asks. [`ChangeCheck`] is the check: it compares what the model has seen with what is on the disk.
//!
//! ```
//! use std::sync::Arc;
//! use context_api::{AllowAll, FileContent, FileReader, ReadRequest};
//! use context_testkit::{FixedClock, Place};
//! use file_reader::{ReadLimits, StandardReader};
//! use local_fs::LocalFs;
//! let place = Place::new();
//! let path = place.write("a.txt", "one\r\ntwo\r\n");
//! let clock = Arc::new(FixedClock::default());
//! let reader = StandardReader::new(Arc::new(LocalFs), Arc::new(AllowAll), clock, ReadLimits::default());
//! let outcome = reader.read(&ReadRequest::default().path(path)).unwrap();
//! let FileContent::Text(text) = outcome.content else { panic!() };
//! assert_eq!((&*text.text, text.line_ends.as_str(), text.total_lines), ("one\r\ntwo\r\n", "crlf", Some(2)));
//! ```

mod limits;
mod wording;

mod changed;

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "pdf")]
mod pdf;
mod reader;
mod suggest;

pub use changed::ChangeCheck;
#[cfg(feature = "image")]
pub use image::{FittedImage, ImageProblem, fit_image, fit_image_within};
pub use limits::{ChangeLimits, ImageLimits, ReadLimits, SuggestLimits};
pub use reader::StandardReader;
pub use suggest::{Suggestions, suggest};

#[cfg(doc)]
use context_api::FileReader;
