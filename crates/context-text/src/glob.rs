//! Patterns for paths, with the meaning they have in a `.gitignore`.
//!
//! `*.ts` matches at any depth, `/src/**` and `src/x` from the base on, `src` and `src/` everything below a directory of
//! that name at any depth. `*` and `?` never match a slash. A leading `./` is dropped, `{a,b}` is expanded, names that
//! begin with a dot are like any other. A pattern holds for a path and for everything below it; the last pattern that
//! holds decides, and one that begins with `!` takes out again. (Unlike in git, also below a directory that is in.)

mod brace;
mod paths;
mod pattern;
mod rules;
mod table;

pub use brace::{TooMany, brace_expand};
pub use paths::PathGlobs;
pub use rules::{RuleGlobs, RuleSet};

#[cfg(feature = "frontmatter")]
pub(crate) use brace::split_top_level;

/// A pattern that could not be compiled. It matches nothing; the others hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobProblem {
    /// The pattern as it was given.
    pub pattern: String,
    /// What is wrong with it, in a few words.
    pub reason: String,
}

#[cfg(test)]
mod tests;
