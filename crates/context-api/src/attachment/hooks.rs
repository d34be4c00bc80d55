//! Payloads about hooks.

use std::path::PathBuf;

use crate::RawJson;
use crate::record::record;

record! {
    /// A hook that ran in the background answered.
    #[derive(Eq)]
    pub struct AsyncHookResponse {
        /// The process.
        pub process: String,
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// The tool it belongs to.
        pub tool: Option<String>,
        /// Standard output.
        pub stdout: String,
        /// Standard error.
        pub stderr: String,
        /// Exit code.
        pub exit_code: Option<i64>,
        /// Its JSON answer.
        pub response: Option<RawJson>,
        /// Its message to the user.
        pub system_message: String,
        /// The context it added, or a preview of it.
        pub additional_context: String,
        /// The blob with all of the context, where it is a preview.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub blob: Option<PathBuf>,
        /// The whole size of the context in bytes, where it is a preview.
        pub bytes: u64,
    }

    /// A hook succeeded and printed something.
    #[derive(Eq)]
    pub struct HookSuccess {
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// The call it belongs to.
        pub tool_use_id: Option<String>,
        /// What it printed, or a preview of it.
        pub content: String,
        /// Exit code.
        pub exit_code: Option<i64>,
        /// The blob with all of it, where `content` is a preview.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub blob: Option<PathBuf>,
        /// Its whole size in bytes, where `content` is a preview.
        pub bytes: u64,
    }

    /// A hook added context.
    #[derive(Eq)]
    pub struct HookAdditionalContext {
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// The call it belongs to.
        pub tool_use_id: Option<String>,
        /// The context, or a preview of it.
        pub content: String,
        /// The blob with all of it, where `content` is a preview.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub blob: Option<PathBuf>,
        /// Its whole size in bytes, where `content` is a preview.
        pub bytes: u64,
    }

    /// A hook blocked.
    #[derive(Eq)]
    pub struct HookBlockingError {
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// The call it belongs to.
        pub tool_use_id: Option<String>,
        /// Why.
        pub reason: String,
    }

    /// A hook stopped the turn.
    #[derive(Eq)]
    pub struct HookStoppedContinuation {
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// Why.
        pub reason: String,
    }

    /// Something about a hook that only a person is shown.
    #[derive(Eq)]
    pub struct HookNotice {
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// The call it belongs to.
        pub tool_use_id: Option<String>,
        /// What to show.
        pub message: String,
        /// Exit code.
        pub exit_code: Option<i64>,
    }

    /// What a hook says about a tool call.
    #[derive(Eq)]
    pub struct HookPermissionDecision {
        /// The hook's name.
        pub hook: String,
        /// The event.
        pub event: String,
        /// The call.
        pub tool_use_id: String,
        /// `allow`, `deny` or `ask`.
        pub behavior: String,
        /// Why.
        pub reason: String,
    }
}
