//! Arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::process::Process;

/// Assembles what a coding agent's model sees in a turn, and explains it.
#[derive(Debug, Parser)]
#[command(name = "ctx", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Globals {
    /// Working directory [env: CTX_CWD] [default: here]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Home directory: user memory, user settings, `~` [env: CTX_HOME] [default: HOME]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// The organisation's directory [env: CTX_MANAGED_DIR] [default: the platform's]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) managed_dir: Option<PathBuf>,
    /// A settings file above all others [env: CTX_SETTINGS]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// The time, such as 2026-04-25T12:00:00+02:00 [env: CTX_NOW] [default: now]
    #[arg(long, global = true, value_name = "RFC3339")]
    pub(crate) now: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to colour the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Globals {
    /// The same, with variables and the process's own where nothing was given; paths made absolute.
    pub(crate) fn filled_from(mut self, process: &Process) -> anyhow::Result<Self> {
        let variable = |name: &str| process.variables.get(name).filter(|value| !value.is_empty());
        let absolute = |path: PathBuf| process.cwd.join(path);
        let path = |name: &str| variable(name).map(PathBuf::from);
        let cwd = self.cwd.take().or_else(|| path("CTX_CWD")).map_or_else(|| process.cwd.clone(), absolute);
        anyhow::ensure!(!cwd.as_os_str().is_empty(), "the working directory is gone");
        anyhow::ensure!(cwd.is_dir(), "the working directory {} is no directory", cwd.display());
        self.cwd = Some(cwd);
        self.home = self.home.take().or_else(|| path("CTX_HOME")).or_else(|| path("HOME")).map(absolute);
        self.managed_dir = self.managed_dir.take().or_else(|| path("CTX_MANAGED_DIR")).map(absolute);
        self.settings = self.settings.take().or_else(|| path("CTX_SETTINGS")).map(absolute);
        self.now = self.now.take().or_else(|| variable("CTX_NOW").cloned());
        Ok(self)
    }

    /// Whether to colour: as asked, else on a terminal unless `NO_COLOR` is set.
    pub(crate) fn colours(&self, process: &Process) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => process.is_terminal && !process.variables.contains_key("NO_COLOR"),
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Assemble the request for one turn and print an account of it
    Build(BuildArgs),
    /// Show where the tokens of a turn or of a session are
    Context(ContextArgs),
    /// Show the memory files that hold here, and what was left out
    Memory(MemoryArgs),
    /// Show the facts about the repository
    Git(GitArgs),
    /// Show what the parser of mentions sees in a text
    Mentions(MentionsArgs),
    /// Show every decision of a turn
    Explain(ExplainArgs),
    /// List, show, check or fork transcripts
    Transcript {
        #[command(subcommand)]
        command: TranscriptCommand,
    },
    /// Run a scenario and print what each step produced, as JSON lines
    Replay(ReplayArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the man page
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// What the user asks
    pub(crate) prompt: String,
    /// Print the exact body for a provider
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// A file with a HostSnapshot
    #[arg(long, value_name = "FILE")]
    pub(crate) host: Option<PathBuf>,
    /// A transcript to go on with; one that is not there yet is begun
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    /// Write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The model's name
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// What the user asks
    pub(crate) prompt: Option<String>,
    /// A transcript to look at, as it would go on; nothing is written to it
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    /// Write a page that opens without anything else
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// A file with a HostSnapshot
    #[arg(long, value_name = "FILE")]
    pub(crate) host: Option<PathBuf>,
    /// The model's name
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Tokens of the model's window
    #[arg(long, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
}

/// A provider's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Anthropic,
    OpenaiResponses,
    OpenaiChat,
    Gemini,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    /// Show what a path brings: nested memory and conditional rules
    #[arg(long = "for", value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
    /// Print the text as the model gets it
    #[arg(long)]
    pub(crate) rendered: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GitArgs {
    /// Say how long it took
    #[arg(long)]
    pub(crate) timing: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MentionsArgs {
    /// The text
    pub(crate) text: String,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// What the user asks; several are several turns of one conversation
    #[arg(required_unless_present = "origins")]
    pub(crate) prompts: Vec<String>,
    /// Compare the last request with the one before
    #[arg(long)]
    pub(crate) cache: bool,
    /// Show where each setting came from instead
    #[arg(long, conflicts_with = "cache")]
    pub(crate) origins: bool,
}

/// What to do with transcripts.
#[derive(Debug, Subcommand)]
pub(crate) enum TranscriptCommand {
    /// List the sessions of a directory that began in the working directory, the newest first
    List {
        /// Where the sessions are
        #[arg(default_value = ".")]
        dir: PathBuf,
        /// Those that began elsewhere too
        #[arg(long)]
        all: bool,
    },
    /// Show the conversation in a transcript
    Show {
        /// The transcript
        file: PathBuf,
        /// What is before the last boundary too
        #[arg(long)]
        all: bool,
    },
    /// Say what is wrong with a transcript; fails where something of it can not be read
    Check {
        /// The transcript
        file: PathBuf,
    },
    /// Begin a session that goes on with the history of a transcript
    Fork {
        /// The transcript
        file: PathBuf,
        /// The new session's id
        id: String,
        /// The last entry that belongs to it [default: the newest]
        #[arg(long, value_name = "UUID")]
        at: Option<String>,
        /// Copy the history instead of referring to it
        #[arg(long)]
        copy: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The scenario: JSON lines; `-` is the standard input
    pub(crate) file: PathBuf,
    /// Where the scenario takes place; kept afterwards
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// Let `run` steps run programs
    #[arg(long)]
    pub(crate) allow_run: bool,
}
