//! What a model gets to see of a path, and what it has seen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::record::{record, words};
use crate::{ContentBlock, Decision, Fingerprint, MediaSource};

record! {
    /// A range of lines: 1-based, both ends inclusive.
    #[derive(Copy, Eq)]
    pub struct LineSpan {
        /// First line.
        pub start: u64,
        /// Last line; `None` is the end of the file.
        pub end: Option<u64>,
    }

    /// Text of a file as it was read.
    pub struct FileText {
        /// The lines shown, without their numbers, line ends as in the file.
        pub text: Arc<str>,
        /// Number of the first line of `text`, 1-based.
        pub first_line: u64,
        /// Lines of the whole file, where they were counted.
        pub total_lines: Option<u64>,
        /// How the bytes were decoded, such as `utf-8`.
        pub encoding: String,
        /// `lf`, `crlf`, `mixed` or `none`.
        pub line_ends: String,
        /// What was cut and how to read on, for the model; empty when all is there.
        pub note: String,
    }

    /// A picture as it was read.
    pub struct FileImage {
        /// What is sent.
        pub source: Option<MediaSource>,
        /// Width in pixels of what is sent.
        pub width: u32,
        /// Height in pixels of what is sent.
        pub height: u32,
        /// What was changed (scaled from which size), for the model; empty when nothing was.
        pub note: String,
    }

    /// A PDF, whole.
    pub struct FilePdf {
        /// What is sent.
        pub source: Option<MediaSource>,
        /// Pages, where known.
        pub pages: Option<u64>,
        /// File name, as the document's title.
        pub title: String,
    }

    /// A notebook: its cells as blocks.
    pub struct FileNotebook {
        /// Text and image blocks in the order of the cells.
        pub blocks: Vec<ContentBlock>,
        /// What was cut, for the model.
        pub note: String,
    }

    /// A file that is not shown but named.
    pub struct FileReference {
        /// What it is, such as `ELF executable`, `PDF document`.
        pub kind: String,
        /// Its size in bytes.
        pub size: u64,
        /// Pages of a PDF, where known.
        pub pages: Option<u64>,
        /// How to get at it, or why it is not shown, for the model.
        pub note: String,
    }

    /// One level of a directory.
    pub struct DirectoryListing {
        /// Names in byte order, directories ending in `/`.
        pub entries: Vec<String>,
        /// Entries beyond the limit.
        pub left_out: u64,
    }
}

/// What a model gets to see of a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileContent {
    /// Text.
    Text(FileText),
    /// A file of zero bytes.
    Empty,
    /// A picture.
    Image(FileImage),
    /// A PDF, inline.
    Pdf(FilePdf),
    /// A PDF that has to be read by page range.
    PdfReference(FileReference),
    /// A notebook.
    Notebook(FileNotebook),
    /// A binary file, named and not shown.
    Binary(FileReference),
    /// A directory.
    Directory(DirectoryListing),
}

impl Default for FileContent {
    fn default() -> Self {
        Self::Text(FileText::default())
    }
}

record! {
    /// What to read.
    #[derive(Eq)]
    pub struct ReadRequest {
        /// Absolute path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// Lines wanted; `None` is the whole file.
        pub lines: Option<LineSpan>,
        /// Pages wanted of a PDF, 1-based; `None` is the whole file.
        pub pages: Option<LineSpan>,
    }

    /// What came of a read.
    pub struct ReadOutcome {
        /// Canonical path of what was read.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// What the model gets to see.
        pub content: FileContent,
        /// What the model will have seen once the content is delivered.
        pub state: Option<FileState>,
        /// What was cut, and why.
        pub decisions: Vec<Decision>,
    }

    /// What a model has seen of one file.
    pub struct FileState {
        /// Canonical path, or the normalised one where there is no canonical one.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// The whole content as read, line ends kept; `None` where only the hash is kept.
        pub content: Option<Arc<str>>,
        /// Digest of the content.
        pub hash: String,
        /// Facts of the file at that time.
        pub fingerprint: Fingerprint,
        /// When it was read.
        #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
        pub read_at: Timestamp,
        /// Lines read; `None` is the whole file.
        pub lines: Option<LineSpan>,
        /// Whether what the model saw differs from what is on the disk, so that an edit needs a read first.
        pub is_partial_view: bool,
        /// Whether it was the session that this one was made from that saw it: the model of this one has not.
        pub inherited: bool,
        /// What kind of content it is.
        pub kind: StateKind,
    }
}

words! {
    /// What kind of content a [`FileState`] holds.
    pub enum StateKind {
        /// Text.
        Text,
        /// A picture: hash only.
        Image,
        /// Anything else: hash only.
        Other,
    }

    /// What happened to a path.
    pub enum TouchKind {
        /// Its content was read.
        Read,
        /// It was written as a whole.
        Write,
        /// A part of it was changed.
        Edit,
        /// It was made.
        Create,
        /// It was removed.
        Delete,
        /// It was listed.
        List,
        /// The user named it.
        Mention,
        /// It is open in the IDE.
        Open,
    }
}

record! {
    /// A path that a turn touched.
    #[derive(Eq, Hash)]
    pub struct Touched {
        /// Absolute path.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub path: PathBuf,
        /// What happened to it.
        pub how: TouchKind,
    }
}

impl FileState {
    /// Whether the model saw the file whole and as it is on the disk.
    pub fn is_whole(&self) -> bool {
        self.lines.is_none() && !self.is_partial_view
    }
}

/// A change of what the model has seen. Applied when the draft that carries it is committed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StateChange {
    /// The model has now seen this.
    Put(FileState),
    /// The file is gone.
    Remove(
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        PathBuf,
    ),
    /// The bytes are the same, the facts are new.
    Refresh {
        /// Path as in the state.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        path: PathBuf,
        /// The new facts.
        fingerprint: Fingerprint,
    },
}

/// The file states of one moment: plain data, cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct StatesView(Arc<BTreeMap<PathBuf, Arc<FileState>>>);

impl StatesView {
    /// A view of the given states.
    pub fn new(states: impl IntoIterator<Item = Arc<FileState>>) -> Self {
        Self(Arc::new(states.into_iter().map(|state| (state.path.clone(), state)).collect()))
    }

    /// The same, with changes that are about to count.
    pub fn with<'a>(&self, changes: impl IntoIterator<Item = &'a StateChange>) -> Self {
        let mut changes = changes.into_iter().peekable();
        if changes.peek().is_none() {
            return self.clone();
        }
        let mut states = (*self.0).clone();
        for change in changes {
            match change {
                StateChange::Put(state) => drop(states.insert(state.path.clone(), Arc::new(state.clone()))),
                StateChange::Remove(path) => drop(states.remove(path)),
                StateChange::Refresh { path, fingerprint } => {
                    if let Some(state) = states.get_mut(path) {
                        Arc::make_mut(state).fingerprint = *fingerprint;
                    }
                }
            }
        }
        Self(Arc::new(states))
    }

    /// The state of one file. Looking does not count as use.
    pub fn get(&self, path: &Path) -> Option<&Arc<FileState>> {
        self.0.get(path)
    }

    /// All states by path.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<FileState>> {
        self.0.values()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Answers: what has the model seen of this file?
///
/// One value a session. Paths are canonical. Only [`FileStates::apply`] changes anything, and only the session calls it,
/// when entries are committed.
pub trait FileStates: Send + Sync + 'static {
    /// Takes one change in; returns what had to go for it.
    fn apply(&self, change: &StateChange) -> Vec<Decision>;

    /// The states as they are now.
    fn view(&self) -> StatesView;

    /// Whether an edit of `path` may go ahead, given the file's facts as they are now.
    ///
    /// # Errors
    /// The reason why the file has to be read first.
    fn may_edit(&self, path: &Path, now: Option<&Fingerprint>) -> Result<(), EditRefusal>;

    /// A copy that goes its own way, for a sub-agent.
    fn fork(&self) -> Arc<dyn FileStates>;
}

/// Why an edit has to wait for a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EditRefusal {
    /// The model has not read the file.
    #[error("the file has not been read")]
    NeverRead,
    /// The model has seen a part of it, or another text than the one on the disk.
    #[error("only a part of the file has been read")]
    PartView,
    /// The file changed since it was read.
    #[error("the file has changed since it was read")]
    ChangedSince,
}

/// Answers: what does a model get to see of this path?
///
/// Sync; called on threads that may block. A mention, the check for changed files and an embedder's own read tool give the
/// same bytes because all of them go through this. Reading changes no state: the outcome says what the state will be.
pub trait FileReader: Send + Sync + 'static {
    /// Reads a file or lists a directory.
    ///
    /// # Errors
    /// What stands in the way, by kind; never a raw system message.
    fn read(&self, request: &ReadRequest) -> Result<ReadOutcome, ReadError>;
}

/// Why a path can not be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {kind}", path = .path.display())]
pub struct ReadError {
    /// The path asked for.
    pub path: PathBuf,
    /// What stands in the way.
    pub kind: ReadErrorKind,
}

impl ReadError {
    /// An error about `path`.
    pub fn new(path: impl Into<PathBuf>, kind: ReadErrorKind) -> Self {
        Self { path: path.into(), kind }
    }
}

/// What stands in the way of a read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Nothing is there.
    #[error("no such file")]
    NotFound,
    /// The system does not let us.
    #[error("permission denied")]
    PermissionDenied,
    /// The policy does not let us.
    #[error("reading is denied by the rule {rule}")]
    Policy {
        /// The rule.
        rule: String,
    },
    /// A FIFO, socket or device.
    #[error("not a regular file")]
    Special,
    /// Links that lead nowhere but to themselves.
    #[error("a loop of links")]
    LinkLoop,
    /// The selected lines are not in the file.
    #[error("no line of the file is selected (it has {lines})")]
    EmptySelection {
        /// Lines of the file.
        lines: u64,
    },
    /// The file is larger than anything that is opened.
    #[error("too large ({size} bytes)")]
    TooLarge {
        /// Its size in bytes.
        size: u64,
    },
    /// It changed while it was read, again and again.
    #[error("the file kept changing while it was read")]
    Unsettled,
    /// A picture or document that can not be made to fit, or that is broken.
    #[error("{reason}")]
    Unusable {
        /// One sentence.
        reason: String,
    },
    /// Anything else the system says.
    #[error("input or output error ({kind:?})")]
    Io {
        /// Its kind.
        kind: std::io::ErrorKind,
    },
}

impl ReadErrorKind {
    /// The stable word for decisions.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::PermissionDenied => "permission_denied",
            Self::Policy { .. } => "denied_by_policy",
            Self::Special => "not_a_regular_file",
            Self::LinkLoop => "link_loop",
            Self::EmptySelection { .. } => "empty_selection",
            Self::TooLarge { .. } => "too_large",
            Self::Unsettled => "changed_while_read",
            Self::Unusable { .. } => "unusable",
            Self::Io { .. } => "io_error",
        }
    }
}

/// `ELOOP`; the standard library has no stable name for it.
const TOO_MANY_LINKS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 40 } else { 62 };

impl From<&std::io::Error> for ReadErrorKind {
    fn from(error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::NotFound,
            ErrorKind::PermissionDenied => Self::PermissionDenied,
            ErrorKind::InvalidInput => Self::Special,
            _ if error.raw_os_error() == Some(TOO_MANY_LINKS) => Self::LinkLoop,
            kind => Self::Io { kind },
        }
    }
}
