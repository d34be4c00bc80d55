//! Names for a host that completes `@`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use context_api::Cancel;
use ignore::{DirEntry, WalkBuilder, WalkState};

use crate::SuggestLimits;

/// Names that a query may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Suggestions {
    /// Relative to the directory, with `/` between names and behind directories; the best first.
    pub names: Vec<String>,
    /// Whether there are more than were kept, or the walk was cut short.
    pub more: bool,
}

/// Files and directories below `cwd` whose names hold the characters of `query` in order, the best first: names that begin
/// with it, then names and paths that contain it. Case does not count. Ignored files are left out as git would leave them out,
/// in a subdirectory and outside of a repository too; a path that is ignored and named all the same is still attached.
///
/// Walks the disk itself on two threads, within the limits and until `cancel` is said. The same tree gives the same names in
/// the same order.
pub fn suggest(cwd: &Path, query: &str, limits: &SuggestLimits, cancel: &Cancel) -> Suggestions {
    let query = query.to_lowercase();
    let found: Mutex<Vec<(Rank, String)>> = Mutex::default();
    let seen = AtomicUsize::new(0);
    let cut = AtomicUsize::new(0);
    walker(cwd, limits).build_parallel().run(|| {
        Box::new(|entry| {
            if cancel.is_cancelled() || seen.fetch_add(1, Ordering::Relaxed) >= limits.visited {
                cut.store(1, Ordering::Relaxed);
                return WalkState::Quit;
            }
            if let Some(name) = entry.ok().and_then(|entry| name_of(cwd, &entry))
                && let Some(rank) = Rank::of(&name, &query)
                && let Ok(mut found) = found.lock()
            {
                found.push((rank, name));
            }
            WalkState::Continue
        })
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_unstable();
    let more = found.len() > limits.names || cut.load(Ordering::Relaxed) > 0;
    found.truncate(limits.names);
    Suggestions { names: found.into_iter().map(|(_, name)| name).collect(), more }
}

fn walker(cwd: &Path, limits: &SuggestLimits) -> WalkBuilder {
    let mut walker = WalkBuilder::new(cwd);
    walker
        .threads(limits.threads)
        .hidden(false)
        .parents(true)
        .require_git(false)
        .follow_links(false)
        .filter_entry(|entry| entry.file_name() != ".git");
    walker
}

fn name_of(cwd: &Path, entry: &DirEntry) -> Option<String> {
    let relative: PathBuf = entry.path().strip_prefix(cwd).ok()?.to_path_buf();
    // A name that is no text can not be typed.
    let name = relative.to_str().filter(|name| !name.is_empty())?;
    let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
    Some(if is_dir { format!("{name}/") } else { name.to_owned() })
}

/// How well a name answers a query; the smaller the better, then the shorter, then by bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(u8, usize);

impl Rank {
    fn of(name: &str, query: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        let trimmed = lower.trim_end_matches('/');
        let base = trimmed.rsplit('/').next().unwrap_or(trimmed);
        let class = if base.starts_with(query) || trimmed.starts_with(query) {
            0
        } else if base.contains(query) {
            1
        } else if trimmed.contains(query) {
            2
        } else if holds_in_order(trimmed, query) {
            3
        } else {
            return None;
        };
        Some(Self(class, trimmed.len()))
    }
}

fn holds_in_order(name: &str, query: &str) -> bool {
    let mut rest = name.chars();
    query.chars().all(|wanted| rest.any(|found| found == wanted))
}

#[cfg(test)]
mod tests {
    use context_testkit::Place;

    use super::*;

    fn names(cwd: &Path, query: &str) -> Vec<String> {
        suggest(cwd, query, &SuggestLimits::default(), &Cancel::new()).names
    }

    #[test]
    fn what_git_ignores_is_not_suggested_in_a_subdirectory_or_outside_of_a_repository() {
        let place = Place::new();
        place.write(".gitignore", "**/out/*\n");
        place.write("foo/out/gen.js", "g\n");
        place.write("foo/src/a.js", "a\n");
        for in_repository in [false, true] {
            if in_repository {
                place.run("git", &["init", "-q"]);
            }
            let names = names(&place.proj().join("foo"), "");
            assert!(names.contains(&"src/a.js".to_owned()), "{names:?}");
            assert!(!names.contains(&"out/gen.js".to_owned()), "{names:?}");
        }
    }

    #[test]
    fn the_best_comes_first_and_the_order_is_the_same_every_time() {
        let place = Place::new();
        for name in [
            "src/main.rs",
            "main.rs",
            "docs/domain.md",
            "src/my_arrow_in.rs",
            "other.txt",
            ".github/main.yml",
        ] {
            place.write(name, "x");
        }
        let expected = ["main.rs", "src/main.rs", ".github/main.yml", "docs/domain.md", "src/my_arrow_in.rs"]
            .map(str::to_owned);
        for _ in 0..20 {
            assert_eq!(names(&place.proj(), "MAIN"), expected);
        }
        assert_eq!(names(&place.proj(), "src")[0], "src/");
    }

    #[test]
    fn the_limits_hold_and_say_so() {
        let place = Place::new();
        for number in 0..50 {
            place.write(&format!("f{number:02}"), "x");
        }
        let few = SuggestLimits::default().names(10);
        let found = suggest(&place.proj(), "f", &few, &Cancel::new());
        assert_eq!((found.names.len(), found.more), (10, true));
        assert_eq!(found.names[0], "f00");
        let given_up = Cancel::new();
        given_up.cancel();
        assert!(suggest(&place.proj(), "f", &few, &given_up).more);
    }
}
