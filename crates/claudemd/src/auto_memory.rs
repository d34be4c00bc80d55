//! Where the agent's own notes about a project lie.

use std::path::{Path, PathBuf};

use context_text::{content_hash, display_path};

use crate::MemoryLimits;

/// The directory of the notes about a project: `~/.claude/projects/KEY/memory`.
///
/// KEY is the absolute path of the project with each character that is no ASCII letter or digit as `-`; one of more than
/// [`MemoryLimits::key_chars`] characters is cut there and ends in a digest. `project` is the repository's main checkout, so
/// that worktrees and subdirectories share their notes: see [`crate::FsMemoryLoader::auto_memory_dir`].
///
/// ```
/// let dir = claudemd::auto_memory_dir("/home/me".as_ref(), "/code/my app".as_ref());
/// assert_eq!(dir, std::path::Path::new("/home/me/.claude/projects/-code-my-app/memory"));
/// ```
pub fn auto_memory_dir(home: &Path, project: &Path) -> PathBuf {
    let key = key(&project.to_string_lossy(), project, MemoryLimits::default().key_chars);
    home.join(".claude").join("projects").join(key).join("memory")
}

fn key(text: &str, project: &Path, limit: usize) -> String {
    let key: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    if key.len() <= limit {
        return key;
    }
    // Digits enough that two long paths of one machine do not meet.
    let digest = content_hash(display_path(project).as_bytes());
    format!("{}-{}", &key[..limit], &digest[..12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_gets_a_digest_that_tells_it_from_others() {
        let long = format!("/{}", "a/".repeat(300));
        let one = auto_memory_dir(Path::new("/h"), Path::new(&format!("{long}x")));
        let other = auto_memory_dir(Path::new("/h"), Path::new(&format!("{long}y")));
        let name = |dir: &Path| dir.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        assert_ne!(one, other);
        assert_eq!(name(&one).len(), 213);
        assert!(name(&one).chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
    }

    #[test]
    fn characters_of_other_scripts_become_a_dash_each() {
        let dir = auto_memory_dir(Path::new("/h"), Path::new("/ö/日本/a.b_c"));
        assert_eq!(dir, Path::new("/h/.claude/projects/------a-b-c/memory"));
    }
}
