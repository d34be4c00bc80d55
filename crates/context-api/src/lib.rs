//! The vocabulary that the parts of the context engine exchange, and the traits of the parts.
//!
//! A session's history is an append-only list of [`Entry`]. What happens in a turn is a typed [`Attachment`], collected by
//! a [`Collector`] as a [`Draft`], committed in an [`Envelope`], and seen by each [`Destination`] through a
//! [`Projector`]. The outcome is a [`ModelRequest`], which a [`Dialect`] writes for a provider. Whatever is left out on the
//! way is a [`Decision`].
//!
//! ```
//! use context_api::{Attachment, DateChange, Destination};
//! let attachment = Attachment::from(DateChange::default());
//! assert_eq!(attachment.type_name(), "date_change");
//! assert!(attachment.destinations().contains(Destination::Model));
//! ```

mod record;

mod json;
mod path;
#[cfg(feature = "schema")]
mod schema;

mod block;
mod message;

mod attachment;
mod destination;
mod draft;
mod edit;
mod entry;
mod ledger;
mod mark;
mod view;

mod cancel;
mod collector;
mod event;
mod host;
mod ids;
mod threads;

mod aside;
mod blob;
mod changes;
mod context_source;
mod decision;
mod file;
mod fs;
mod git;
mod memory;
mod profile;
mod projection;
mod request;
mod stage;
mod store;

pub use aside::{Aside, SessionBlobs};
pub use attachment::*;
pub use blob::{BlobKey, BlobKind, BlobStore};
pub use block::{
    ContentBlock, DocumentBlock, ImageBlock, MediaSource, RedactedThinkingBlock, TextBlock, ThinkingBlock,
    ToolResultBlock, ToolUseBlock,
};
pub use cancel::{Cancel, Cancelled};
pub use changes::{ChangeKind, ChangeReport, FileChange, FileChanges, FileLook};
pub use collector::{
    AttachmentMode, Closed, CollectError, Collector, HandedIn, Outbox, Stage, Thread, TurnInput, TurnParts,
    TurnView, Work,
};
pub use context_source::{ContextError, ContextPlace, ContextSource};
pub use decision::{Decision, Verdict};
pub use destination::{Destination, Destinations, ModelShape, Trust};
pub use draft::{DeliveryKey, Draft, Envelope};
pub use edit::{Boundary, Invalidate, InvalidateEvent, Trigger, ViewEdit};
pub use entry::{
    AssistantReply, ContextBasis, ContextPiece, ContextRecord, Entry, EntryKind, ShownMemory, StatesNote,
    StopReason, ToolResult, Usage, UserInput,
};
pub use event::{
    HandIn, Handled, HostEvent, HostHandler, HostSignal, RuntimeEvent, TranscriptEvent, UiEvent, UiSeverity,
    Unhandled,
};
pub use file::{
    DirectoryListing, EditRefusal, FileContent, FileImage, FileNotebook, FilePdf, FileReader, FileReference,
    FileState, FileStates, FileText, LineSpan, ReadError, ReadErrorKind, ReadOutcome, ReadRequest,
    StateChange, StateKind, StatesView, TouchKind, Touched,
};
pub use fs::{
    Access, AllowAll, DirEntries, DirEntry, FileKind, FileMeta, FileSystem, Fingerprint, Follow, OpenFile,
    ReadPolicy, ReadSeek,
};
pub use git::{Commit, GitError, GitOptions, GitRun, GitSnapshot, GitSource, Head, Status};
pub use host::{
    AgentSpec, BackgroundTask, BudgetState, CatalogState, CompanionSpec, Diagnostic, FileDiagnostics,
    HookAnswer, HostSnapshot, IdeSelection, IdeState, MailMessage, McpServer, ModeState, Origin,
    OutputBudget, OutputStyleSpec, PastedImage, PlanProgress, PlanState, QueuedInput, Severity, SkillSpec,
    Source, TaskChange, TaskItem, TeamState, TodoItem, TokenBudget, ToolSpec, UsdBudget, Variables,
    WorkState, queue_mode,
};
pub use ids::{Clock, Ids};
pub use json::RawJson;
pub use ledger::{Delivered, Ledger, Occurrence};
pub use mark::{Mark, MarkKind, MarkTarget};
pub use memory::{
    MemoryError, MemoryFile, MemoryKind, MemoryLoad, MemoryLoader, MemoryScope, PendingInclude,
};
pub use message::{CacheMark, ModelBlock, ModelMessage, Role};
pub use path::{path_key, path_of_key};
pub use profile::{ContextProfile, ProfileCost};
pub use projection::{Projection, ProjectionConfig, Projector, ToolNames, ToolShape};
pub use request::{
    Dialect, DialectError, EncodedRequest, ModelRequest, PromptFacts, RequestTool, Section, SectionScope,
    SystemBlock, SystemPart, SystemPrompt, TokenCounter,
};
pub use stage::{
    BlobPath, HistoryStage, PlannedBlob, StageBudget, StageOutcome, Summarizer, SummaryError, SummaryRequest,
};
pub use store::{Batch, Fork, LineFacts, Loaded, Reach, StoreError, StoreErrorKind, TranscriptStore};
pub use threads::{IoStalled, Job, Threads};
pub use view::{HistoryView, SeenEntry, SeenResult, is_words};
