//! One spelling for each path.

use std::path::{Component, Path, PathBuf};

/// The path without `.`, `..`, doubled and trailing separators. Purely by its letters: links are not followed, so that
/// it is meant for canonical paths and for paths of files that are not there. `..` at the root stays there; in a relative
/// path that begins with `..` it is kept.
///
/// ```
/// use std::path::Path;
/// assert_eq!(file_state_cache::normalise_path("/p//a/./b/../c.rs/".as_ref()), Path::new("/p/a/c.rs"));
/// ```
pub fn normalise_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => go_up(&mut out),
            other => out.push(other),
        }
    }
    out
}

fn go_up(out: &mut PathBuf) {
    match out.components().next_back() {
        Some(Component::Normal(_)) => {
            out.pop();
        }
        Some(Component::RootDir | Component::Prefix(_)) => {}
        _ => out.push(Component::ParentDir),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_path_become_one() {
        for (given, expected) in [
            ("/p/a", "/p/a"),
            ("/p/a/", "/p/a"),
            ("/p//a", "/p/a"),
            ("//p/./a/.", "/p/a"),
            ("/p/x/../a", "/p/a"),
            ("/../p/a", "/p/a"),
            ("/", "/"),
            ("/p/..", "/"),
            ("p/./a", "p/a"),
            ("../../p", "../../p"),
            ("a/../../p", "../p"),
            ("", ""),
            ("/p/a..b/...", "/p/a..b/..."),
        ] {
            assert_eq!(normalise_path(Path::new(given)).as_os_str(), expected, "{given}");
        }
    }
}
