//! Payloads about modes, schedules and standing texts.

use std::path::PathBuf;

use jiff::civil::Date;

use crate::record::{record, words};
use crate::{TaskItem, TodoItem};

words! {
    /// How much of a mode's text is told.
    pub enum ReminderForm {
        /// All of it.
        Full,
        /// A line.
        Brief,
    }
}

record! {
    /// The local date differs from the last one announced.
    #[derive(Eq)]
    pub struct DateChange {
        /// The new date.
        #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date")))]
        pub date: Date,
    }

    /// The word for more thinking stands in the input.
    #[derive(Eq)]
    pub struct UltrathinkEffort {
        /// The effort asked for.
        pub level: String,
    }

    /// Plan mode is on.
    #[derive(Eq)]
    pub struct PlanMode {
        /// All of the text, or a line.
        pub form: ReminderForm,
        /// Where the plan is written.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub plan_file: Option<PathBuf>,
        /// Whether that file is there already.
        pub plan_exists: bool,
        /// How often it was told since the mode was entered, this time included.
        pub occurrence: u64,
    }

    /// Plan mode was entered again with an earlier plan file.
    #[derive(Eq)]
    pub struct PlanModeReentry {
        /// The earlier plan.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub plan_file: Option<PathBuf>,
    }

    /// Plan mode was left.
    #[derive(Eq)]
    pub struct PlanModeExit {
        /// The plan.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub plan_file: Option<PathBuf>,
        /// Whether the file is there.
        pub plan_exists: bool,
    }

    /// Auto mode is on.
    #[derive(Eq)]
    pub struct AutoMode {
        /// All of the text, or a line.
        pub form: ReminderForm,
        /// How often it was told since the mode was entered, this time included.
        pub occurrence: u64,
    }

    /// Auto mode was left.
    #[derive(Eq)]
    pub struct AutoModeExit {}

    /// The todo list was not touched for long.
    #[derive(Eq)]
    pub struct TodoReminder {
        /// The list.
        pub todos: Vec<TodoItem>,
    }

    /// The task list was not touched for long.
    #[derive(Eq)]
    pub struct TaskReminder {
        /// The list.
        pub tasks: Vec<TaskItem>,
    }

    /// A plan was carried out and not checked.
    #[derive(Eq)]
    pub struct VerifyPlanReminder {
        /// The plan.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub plan_file: Option<PathBuf>,
    }

    /// The host's standing text.
    #[derive(Eq)]
    pub struct CriticalSystemReminder {
        /// The text.
        pub text: String,
    }

    /// A companion introduces itself.
    #[derive(Eq)]
    pub struct CompanionIntro {
        /// Its name.
        pub name: String,
        /// What the model should know of it.
        pub text: String,
    }

    /// The output style.
    #[derive(Eq)]
    pub struct OutputStyle {
        /// Its name; empty when the default holds again.
        pub name: String,
        /// What it asks for.
        pub text: String,
    }
}
