//! Skills: what there is, and which of it is worth naming.

#[cfg(feature = "skills")]
mod disk;
mod limits;
mod listing;
mod rank;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Decision, ReadErrorKind, SkillSpec};

#[cfg(feature = "skills")]
pub use disk::{FsSkillSource, SkillOptions, SkillPlugin};
pub use limits::SkillLimits;
pub(crate) use listing::{Candidate, listed};
pub(crate) use rank::{Match, ranked};

/// Answers: which skills are there, and what does one say?
///
/// Sync; called on threads that may block. What is hostile, broken or denied is a decision, never an error of the whole; what
/// can not be looked at now is named, so that nothing of it is taken for gone.
pub trait SkillSource: Send + Sync + 'static {
    /// All skills that hold in `places`, those that win a name first.
    fn find(&self, places: &SkillPlaces) -> SkillLoad;

    /// The whole text of the skill at `path`, as [`FoundSkill::spec`] gives it.
    ///
    /// # Errors
    /// What stands in the way.
    fn text(&self, path: &Path) -> Result<Arc<str>, ReadErrorKind>;
}

/// Where to look for skills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SkillPlaces {
    /// The session's first working directory, absolute.
    pub cwd: PathBuf,
    /// Absolute paths below it that a turn touched: folders of skills beside and above them count too.
    pub touched: Vec<PathBuf>,
    /// Folders of skills that were found so before.
    pub known: Vec<PathBuf>,
}

impl SkillPlaces {
    /// A session that began in `cwd` and touched nothing.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self { cwd: cwd.into(), ..Self::default() }
    }
}

/// A skill that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundSkill {
    /// What it is; its path is canonical.
    pub spec: SkillSpec,
    /// The folder of skills that it lies in.
    pub root: PathBuf,
    /// Whether that folder lies below the working directory.
    pub is_nested: bool,
    /// Whether models may be told of it; if not, only a person calls it.
    pub is_listed: bool,
}

/// What came of a look for skills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SkillLoad {
    /// Those that win a name first.
    pub skills: Vec<FoundSkill>,
    /// Folders of skills that, or some of which, can not be looked at now.
    pub unreachable: Vec<PathBuf>,
    /// Everything that was left out, and why.
    pub decisions: Vec<Decision>,
}
