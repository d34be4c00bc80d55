//! Which file names count as memory.

/// A directory of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesDir {
    /// Relative to the directory that the rules are for, with `/` between names, such as `.claude/rules`.
    pub dir: String,
    /// How the name of a rule ends, such as `.md`.
    pub suffix: String,
    /// Whether a rule that says `alwaysApply: false` and has no patterns waits for somebody to name it.
    pub by_name: bool,
}

impl RulesDir {
    /// Rules below `dir` whose names end in `suffix`.
    pub fn new(dir: impl Into<String>, suffix: impl Into<String>) -> Self {
        Self { dir: dir.into(), suffix: suffix.into(), by_name: false }
    }
}

/// Which file names count, as data.
///
/// ```
/// use claudemd::Profile;
/// let both = Profile::claude().combine(Profile::gemini());
/// assert_eq!(both.project, [vec!["CLAUDE.md"], vec![".claude/CLAUDE.md"], vec!["GEMINI.md"]]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Project files of a directory, in order; of the names in one place the first that is there counts.
    pub project: Vec<Vec<String>>,
    /// Private files of a directory, after its project files.
    pub local: Vec<String>,
    /// The user's files, relative to the home directory.
    pub user: Vec<String>,
    /// The organisation's files, relative to its directory.
    pub managed: Vec<String>,
    /// Directories of rules, of a project directory and of the organisation's.
    pub rules: Vec<RulesDir>,
    /// Directories of rules, relative to the home directory.
    pub user_rules: Vec<RulesDir>,
    /// Names that count as project files where no directory of the walk has any file of `project` or `local`.
    pub fallback: Vec<String>,
}

impl Default for Profile {
    fn default() -> Self {
        Self::claude()
    }
}

impl Profile {
    /// `CLAUDE.md`, `.claude/CLAUDE.md`, `CLAUDE.local.md`, `.claude/rules`; `AGENTS.md` where none of the first three is there.
    pub fn claude() -> Self {
        Self {
            project: places(&[&["CLAUDE.md"], &[".claude/CLAUDE.md"]]),
            local: names(&["CLAUDE.local.md"]),
            user: names(&[".claude/CLAUDE.md"]),
            managed: names(&["CLAUDE.md"]),
            rules: vec![RulesDir::new(".claude/rules", ".md")],
            user_rules: vec![RulesDir::new(".claude/rules", ".md")],
            fallback: names(&["AGENTS.md"]),
        }
    }

    /// `AGENTS.md`, or `AGENTS.override.md` in its place, and `AGENTS.local.md` beside it.
    pub fn agents_md() -> Self {
        Self {
            project: places(&[&["AGENTS.override.md", "AGENTS.md"]]),
            local: names(&["AGENTS.local.md"]),
            user: names(&[".agents/AGENTS.md"]),
            managed: names(&["AGENTS.md"]),
            ..Self::empty()
        }
    }

    /// `GEMINI.md`.
    pub fn gemini() -> Self {
        Self {
            project: places(&[&["GEMINI.md"]]),
            user: names(&[".gemini/GEMINI.md"]),
            managed: names(&["GEMINI.md"]),
            ..Self::empty()
        }
    }

    /// `.cursorrules` and `.cursor/rules/**/*.mdc`.
    pub fn cursor_rules() -> Self {
        let rules = RulesDir { by_name: true, ..RulesDir::new(".cursor/rules", ".mdc") };
        Self { project: places(&[&[".cursorrules"]]), rules: vec![rules], ..Self::empty() }
    }

    /// `.github/copilot-instructions.md` and `.github/instructions/**/*.instructions.md`.
    pub fn copilot() -> Self {
        Self {
            project: places(&[&[".github/copilot-instructions.md"]]),
            rules: vec![RulesDir::new(".github/instructions", ".instructions.md")],
            ..Self::empty()
        }
    }

    /// No name at all, to build a profile from.
    pub fn empty() -> Self {
        Self {
            project: Vec::new(),
            local: Vec::new(),
            user: Vec::new(),
            managed: Vec::new(),
            rules: Vec::new(),
            user_rules: Vec::new(),
            fallback: Vec::new(),
        }
    }

    /// What counts in one of the two; names of this one come first. A name that counts always is no fallback.
    pub fn combine(mut self, other: Self) -> Self {
        append(&mut self.project, other.project);
        append(&mut self.local, other.local);
        append(&mut self.user, other.user);
        append(&mut self.managed, other.managed);
        append(&mut self.rules, other.rules);
        append(&mut self.user_rules, other.user_rules);
        append(&mut self.fallback, other.fallback);
        let project = &self.project;
        self.fallback.retain(|name| !project.iter().flatten().any(|always| always == name));
        self
    }
}

fn append<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) {
    for item in from {
        if !to.contains(&item) {
            to.push(item);
        }
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn places(list: &[&[&str]]) -> Vec<Vec<String>> {
    list.iter().map(|&alternatives| names(alternatives)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combined_profile_has_each_name_once_and_no_fallback_that_counts_anyway() {
        let profile = Profile::claude().combine(Profile::agents_md()).combine(Profile::claude());
        assert_eq!(profile.project.len(), 3);
        assert_eq!(profile.rules.len(), 1);
        assert!(profile.fallback.is_empty());
        assert_eq!(Profile::claude().combine(Profile::cursor_rules()).fallback, ["AGENTS.md"]);
    }
}
