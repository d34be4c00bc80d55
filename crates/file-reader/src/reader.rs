//! From a path to what a model gets to see.

mod binary;
mod bytes;
mod directory;
mod document;
mod kind;
mod large;
mod locate;
mod notebook;
#[cfg(feature = "pdf")]
mod pages;
mod picture;
mod state;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{
    Clock, Decision, FileContent, FileKind, FileReader, FileState, FileSystem, ReadError, ReadErrorKind,
    ReadOutcome, ReadPolicy, ReadRequest, Verdict,
};
use context_text::display_path;

use crate::{ReadLimits, wording};
use bytes::{Contents, Whole};
use kind::Kind;

/// Reads files through a [`FileSystem`], where a [`ReadPolicy`] allows it.
///
/// Text is recognised by its bytes, never by its name. A file that changes while it is read is read again; what is returned
/// is one version of it, or [`ReadErrorKind::Unsettled`]. Files are read with bounded memory, and nothing that is no regular
/// file or directory is opened.
pub struct StandardReader {
    fs: Arc<dyn FileSystem>,
    policy: Arc<dyn ReadPolicy>,
    clock: Arc<dyn Clock>,
    limits: ReadLimits,
}

/// What a kind of content makes of the bytes: the content, the state and what was cut.
#[derive(Default)]
struct Shown {
    content: FileContent,
    state: Option<FileState>,
    decisions: Vec<Decision>,
}

impl StandardReader {
    /// A reader of `fs` under `policy`. The clock says when a file was read, and whether it changed just before.
    pub fn new(
        fs: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        clock: Arc<dyn Clock>,
        limits: ReadLimits,
    ) -> Self {
        Self { fs, policy, clock, limits }
    }

    fn read_kind(&self, request: &ReadRequest) -> Result<(PathBuf, Shown), ReadErrorKind> {
        for attempt in 1.. {
            let (path, kind) = self.locate(&request.path)?;
            if kind == FileKind::Directory {
                let shown = directory::list(&*self.fs, &path, &self.limits)?;
                return Ok((path, shown));
            }
            match self.contents(&path) {
                Ok(Some(contents)) => {
                    let shown = self.show(request, &path, contents)?;
                    return Ok((path, shown));
                }
                Ok(None) if attempt >= self.limits.attempts => return Err(ReadErrorKind::Unsettled),
                Err(error) if attempt >= self.limits.attempts || !bytes::is_passing(&error) => {
                    return Err(ReadErrorKind::from(&error));
                }
                Ok(None) | Err(_) => self.pause(),
            }
        }
        Err(ReadErrorKind::Unsettled)
    }

    fn show(&self, request: &ReadRequest, path: &Path, contents: Contents) -> Result<Shown, ReadErrorKind> {
        match contents {
            Contents::Whole(whole) => self.show_whole(request, path, whole),
            Contents::Large(file) => large::show(self, request, path, file),
        }
    }

    fn show_whole(&self, request: &ReadRequest, path: &Path, whole: Whole) -> Result<Shown, ReadErrorKind> {
        let kind = Kind::of(&whole.bytes);
        let mut shown = match kind {
            Kind::Binary => binary::name(&whole.bytes, whole.meta.fingerprint.len, ""),
            Kind::Image => picture::show(self, request, path, whole)?,
            Kind::Pdf => document::show(self, request, path, &whole)?,
            Kind::Text if notebook::is_named_so(path) => notebook::show(self, request, path, whole)?,
            Kind::Text => text::show(self, request, path, whole)?,
        };
        if matches!(shown.content, FileContent::Text(_)) && picture::is_named_so(path) {
            shown.decisions.push(not_an_image(&request.path));
        }
        Ok(shown)
    }
}

fn not_an_image(path: &Path) -> Decision {
    Decision::new(display_path(path), Verdict::Included, "not_an_image", wording::NOT_AN_IMAGE)
}

fn base64_source(media_type: &str, bytes: &[u8]) -> context_api::MediaSource {
    use base64::Engine;
    let data = base64::engine::general_purpose::STANDARD.encode(bytes).into();
    context_api::MediaSource::Base64 { media_type: media_type.into(), data }
}

impl FileReader for StandardReader {
    fn read(&self, request: &ReadRequest) -> Result<ReadOutcome, ReadError> {
        let (path, shown) = self.read_kind(request).map_err(|kind| ReadError::new(&request.path, kind))?;
        let outcome = ReadOutcome::default().path(path).content(shown.content).state(shown.state);
        Ok(outcome.decisions(shown.decisions))
    }
}
