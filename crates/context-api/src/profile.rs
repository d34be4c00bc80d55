//! What a sub-agent's session inherits of the context.

use crate::record::record;
use crate::{AttachmentMode, Decision, MemoryFile, MemoryKind};

record! {
    /// What of the context a session leaves out; the default leaves out nothing. Chosen for a session when it begins, kept
    /// with its context.
    #[derive(Eq)]
    pub struct ContextProfile {
        /// Memory of these kinds is not shown. The organisation's is shown all the same.
        pub without_memory: Vec<MemoryKind>,
        /// Rules, and what they include, are not shown; the organisation's are.
        pub without_rules: bool,
        /// Git facts are not taken.
        pub without_git: bool,
        /// Skills are not listed.
        pub without_skills: bool,
        /// Which attachments come.
        pub attachments: AttachmentMode,
    }
}

impl ContextProfile {
    /// All that the session of the user has.
    pub fn full() -> Self {
        Self::default()
    }

    /// For a task in the project: the instructions and rules of the organisation and the project; mentions, queue and memory
    /// of touched paths. No notes and no wishes of the user, no git facts, no skills.
    pub fn lean() -> Self {
        use MemoryKind::{AutoMem, Local, TeamMem, User};
        Self::default()
            .without_memory([User, Local, AutoMem, TeamMem])
            .without_git(true)
            .without_skills(true)
            .attachments(AttachmentMode::Simple)
    }

    /// For a question about what it is given: the organisation's instructions and the queue, nothing else.
    pub fn bare() -> Self {
        use MemoryKind::{AutoMem, Local, Project, TeamMem, User};
        Self::default()
            .without_memory([User, Project, Local, AutoMem, TeamMem])
            .without_rules(true)
            .without_git(true)
            .without_skills(true)
            .attachments(AttachmentMode::Off)
    }

    /// Whether a memory file is shown.
    pub fn shows(&self, file: &MemoryFile) -> bool {
        let hidden = self.without_memory.contains(&file.kind) || (self.without_rules && file.is_rule);
        file.kind == MemoryKind::Managed || !hidden
    }

    /// The decision on a file that is not shown.
    pub fn hides(&self, file: &MemoryFile) -> Decision {
        Self::leaves_out(file.path.to_string_lossy())
    }

    /// The decision on anything that a profile leaves out.
    pub fn leaves_out(subject: impl Into<String>) -> Decision {
        Decision::left_out(subject, "context_profile", "The session's profile leaves it out.")
    }

    /// Whether notes of earlier sessions are shown.
    pub fn shows_notes(&self) -> bool {
        !self.without_memory.contains(&MemoryKind::AutoMem)
    }
}

record! {
    /// About what a context costs in each request, in tokens.
    #[derive(Eq)]
    pub struct ProfileCost {
        /// Memory files.
        pub memory: u64,
        /// Git facts.
        pub git: u64,
        /// The list of skills.
        pub skills: u64,
        /// What could not be counted, and why.
        pub decisions: Vec<Decision>,
    }
}

impl ProfileCost {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.memory + self.git + self.skills
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(kind: MemoryKind, is_rule: bool) -> MemoryFile {
        MemoryFile::default().kind(kind).is_rule(is_rule)
    }

    #[test]
    fn what_the_organisation_says_is_always_shown() {
        let managed = [file(MemoryKind::Managed, false), file(MemoryKind::Managed, true)];
        for profile in [ContextProfile::full(), ContextProfile::lean(), ContextProfile::bare()] {
            assert!(managed.iter().all(|file| profile.shows(file)), "{profile:?}");
        }
    }

    #[test]
    fn profiles_hide_what_they_name() {
        let lean = ContextProfile::lean();
        assert!(
            lean.shows(&file(MemoryKind::Project, false)) && lean.shows(&file(MemoryKind::Project, true))
        );
        for kind in [MemoryKind::User, MemoryKind::Local, MemoryKind::AutoMem, MemoryKind::TeamMem] {
            assert!(!lean.shows(&file(kind, false)), "{kind:?}");
        }
        assert!(!ContextProfile::bare().shows(&file(MemoryKind::Project, false)));
        let no_rules = ContextProfile::full().without_rules(true);
        assert!(
            no_rules.shows(&file(MemoryKind::User, false)) && !no_rules.shows(&file(MemoryKind::User, true))
        );
    }
}
