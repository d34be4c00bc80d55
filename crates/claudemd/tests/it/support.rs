//! A place, a loader, and what a test asks of a load.

use std::path::PathBuf;
use std::sync::Arc;

use claudemd::{FsMemoryLoader, MemoryOptions};
use context_api::{AllowAll, Decision, FileSystem, MemoryLoad, MemoryLoader, MemoryScope};
use context_testkit::Place;
use local_fs::LocalFs;

/// Options with the place's home and managed directory.
pub(crate) fn options(place: &Place) -> MemoryOptions {
    MemoryOptions::default().home(place.home()).managed_dir(place.managed())
}

pub(crate) fn loader(options: MemoryOptions) -> FsMemoryLoader {
    loader_over(Arc::new(LocalFs::new()), options)
}

pub(crate) fn loader_over(fs: Arc<dyn FileSystem>, options: MemoryOptions) -> FsMemoryLoader {
    FsMemoryLoader::new(fs, Arc::new(AllowAll), options)
}

pub(crate) fn scope(cwd: impl Into<PathBuf>) -> MemoryScope {
    MemoryScope::default().cwd(cwd)
}

/// Loads for a directory of the place, such as `pkg` or `{out}/wt`.
pub(crate) fn load(place: &Place, cwd: &str, options: MemoryOptions) -> MemoryLoad {
    loader(options).load(&scope(place.path(cwd))).unwrap()
}

/// Loads for the project with the usual options.
pub(crate) fn load_proj(place: &Place) -> MemoryLoad {
    load(place, "", options(place))
}

/// What holds for a path beyond the load for the project.
pub(crate) fn touch(place: &Place, path: &str) -> MemoryLoad {
    loader(options(place)).load_for_path(&scope(place.proj()), &place.path(path)).unwrap()
}

/// All texts, in order.
pub(crate) fn text(load: &MemoryLoad) -> String {
    load.files.iter().map(|file| &*file.text).collect::<Vec<_>>().join("\n")
}

/// The words `MARK_…` of all texts, in order.
pub(crate) fn marks(load: &MemoryLoad) -> Vec<String> {
    let text = text(load);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_word(c)).filter(|word| word.starts_with("MARK_"));
    words.map(str::to_owned).collect()
}

/// The reasons of the decisions about paths that end so.
pub(crate) fn reasons<'a>(load: &'a MemoryLoad, ending: &str) -> Vec<&'a str> {
    load.decisions.iter().filter(|d| d.subject.ends_with(ending)).map(|d| d.reason.as_str()).collect()
}

/// The only decision about paths that end so.
pub(crate) fn decision<'a>(load: &'a MemoryLoad, ending: &str) -> &'a Decision {
    let found: Vec<_> = load.decisions.iter().filter(|d| d.subject.ends_with(ending)).collect();
    assert_eq!(found.len(), 1, "{ending}: {:#?}", load.decisions);
    found[0]
}

/// A report of a load with the place's root as `{place}`.
pub(crate) fn account(place: &Place, load: &MemoryLoad) -> String {
    let mut lines = Vec::new();
    for file in &load.files {
        let parent = file.parent.as_ref().map_or(String::new(), |parent| format!(" < {}", parent.display()));
        lines.push(format!("{:?} {}{parent}", file.kind, file.path.display()));
    }
    for decision in &load.decisions {
        lines.push(format!("{:?} {} {}", decision.verdict, decision.subject, decision.reason));
    }
    hidden(place, &lines.join("\n"))
}

/// A text with the place's root as `{place}`.
pub(crate) fn hidden(place: &Place, text: &str) -> String {
    text.replace(&place.root().display().to_string(), "{place}")
}
