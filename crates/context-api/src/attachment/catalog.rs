//! Payloads about skills, tools, agents and servers.

use std::path::PathBuf;
use std::sync::Arc;

use crate::record::record;

record! {
    /// An agent that the input names.
    #[derive(Eq)]
    pub struct AgentMention {
        /// Its name.
        pub agent: String,
    }

    /// Skills that were never announced.
    #[derive(Eq)]
    pub struct SkillListing {
        /// The skills.
        pub skills: Vec<ListedSkill>,
        /// Whether it is the first, whole listing.
        pub is_initial: bool,
        /// Skills that exist no more.
        pub removed: Vec<String>,
    }

    /// A skill as it is announced.
    #[derive(Eq)]
    pub struct ListedSkill {
        /// Its name.
        pub name: String,
        /// What is said of it, shortened to fit; may be empty.
        pub description: String,
        /// Characters that were cut.
        pub cut: u64,
    }

    /// Skills that match the input.
    #[derive(Eq)]
    pub struct SkillDiscovery {
        /// The skills.
        pub skills: Vec<ListedSkill>,
        /// Whether it needs a framing line, since the reader's prompt may lack the section.
        pub framed: bool,
    }

    /// Skill folders found below a touched path.
    #[derive(Eq)]
    pub struct DynamicSkill {
        /// The folder.
        #[serde(with = "crate::path")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::path::Written"))]
        pub directory: PathBuf,
        /// The path as it is shown.
        pub display_path: String,
        /// Names of its skills.
        pub skills: Vec<String>,
    }

    /// Skills used in this session, told again after a compaction.
    #[derive(Eq)]
    pub struct InvokedSkills {
        /// Newest first.
        pub skills: Vec<InvokedSkill>,
    }

    /// A skill that was used.
    #[derive(Eq)]
    pub struct InvokedSkill {
        /// `agent:skill`.
        pub key: String,
        /// Where its text lies.
        #[serde(with = "crate::path::option")]
        #[cfg_attr(feature = "schema", schemars(with = "Option<crate::path::Written>"))]
        pub path: Option<PathBuf>,
        /// Its text, cut to the limit.
        pub text: Arc<str>,
    }

    /// Deferred tools that came or went.
    #[derive(Eq)]
    pub struct DeferredToolsDelta {
        /// New ones, with a line about each.
        pub added: Vec<AnnouncedItem>,
        /// Gone ones.
        pub removed: Vec<String>,
        /// Whether it is the first announcement.
        pub is_initial: bool,
    }

    /// Agents that came or went.
    #[derive(Eq)]
    pub struct AgentListingDelta {
        /// New or changed ones.
        pub added: Vec<AnnouncedItem>,
        /// Gone ones.
        pub removed: Vec<String>,
        /// Whether it is the first announcement.
        pub is_initial: bool,
    }

    /// Instructions of MCP servers that came, changed or went.
    #[derive(Eq)]
    pub struct McpInstructionsDelta {
        /// New or changed ones, whole.
        pub added: Vec<AnnouncedItem>,
        /// Gone ones.
        pub removed: Vec<String>,
        /// Whether it is the first announcement.
        pub is_initial: bool,
    }

    /// One thing that is announced: its key and its text.
    #[derive(Eq)]
    pub struct AnnouncedItem {
        /// Its name.
        pub name: String,
        /// What is said of it.
        pub text: Arc<str>,
    }
}
