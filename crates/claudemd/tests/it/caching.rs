//! Loads of what has not changed, and of what has.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use context_api::{DirEntries, FileMeta, FileSystem, Follow, MemoryLoader, OpenFile};
use context_testkit::Place;
use local_fs::LocalFs;

use crate::support::*;

/// The disk, with a count of its calls by kind.
#[derive(Default)]
struct Counting {
    stats: AtomicU64,
    opens: AtomicU64,
    others: AtomicU64,
}

impl Counting {
    fn take(&self) -> (u64, u64, u64) {
        let take = |count: &AtomicU64| count.swap(0, Ordering::SeqCst);
        (take(&self.stats), take(&self.opens), take(&self.others))
    }
}

impl FileSystem for Counting {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        self.stats.fetch_add(1, Ordering::SeqCst);
        LocalFs.metadata(path, follow)
    }
    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        self.opens.fetch_add(1, Ordering::SeqCst);
        LocalFs.open(path)
    }
    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        self.others.fetch_add(1, Ordering::SeqCst);
        LocalFs.read_dir(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.others.fetch_add(1, Ordering::SeqCst);
        LocalFs.canonicalize(path)
    }
}

fn tree() -> Place {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_A @inc.md\n");
    place.write("inc.md", "MARK_INC\n");
    place.write(".claude/rules/r.md", "MARK_R\n");
    place.write(".claude/rules/c.md", "---\npaths: '*.ts'\n---\nMARK_C\n");
    place.write("sub/CLAUDE.md", "MARK_SUB\n");
    place
}

#[test]
fn a_load_of_what_has_not_changed_costs_stats_only() {
    let place = tree();
    let fs = Arc::new(Counting::default());
    let loader = loader_over(fs.clone(), options(&place));
    let scope = scope(place.proj());
    let first = loader.load(&scope).unwrap();
    let (_, opens, _) = fs.take();
    assert_eq!(opens, 4);
    assert_eq!(loader.load(&scope).unwrap(), first);
    fs.take();
    assert_eq!(loader.load(&scope).unwrap(), first);
    let (stats, opens, others) = fs.take();
    assert_eq!((opens, others), (0, 0));
    // For each level two files and a directory; for the project and its rules each file once.
    assert!(stats as usize <= 3 * place.proj().ancestors().count() + 12, "{stats}");

    let path = place.path("sub/x.ts");
    let nested = loader.load_for_path(&scope, &path).unwrap();
    assert_eq!(marks(&nested), ["MARK_C", "MARK_SUB"]);
    loader.load_for_path(&scope, &path).unwrap();
    fs.take();
    assert_eq!(loader.load_for_path(&scope, &path).unwrap(), nested);
    let (_, opens, others) = fs.take();
    assert_eq!((opens, others), (0, 0));
}

#[test]
fn every_kind_of_change_is_seen() {
    let place = tree();
    let loader = loader(options(&place));
    let scope = scope(place.proj());
    let load = || marks(&loader.load(&scope).unwrap());
    let settle = || (0..3).for_each(|_| drop(load()));
    settle();
    assert_eq!(load(), ["MARK_A", "MARK_INC", "MARK_R"]);
    place.write("CLAUDE.md", "MARK_B @inc.md\n");
    assert_eq!(load(), ["MARK_B", "MARK_INC", "MARK_R"], "the same length");
    settle();
    place.write("inc.md", "MARK_INC2\n");
    assert_eq!(load()[1], "MARK_INC2");
    settle();
    place.write(".claude/rules/new.md", "MARK_NEW\n");
    assert_eq!(load(), ["MARK_B", "MARK_INC2", "MARK_NEW", "MARK_R"]);
    settle();
    std::fs::remove_file(place.path(".claude/rules/r.md")).unwrap();
    assert_eq!(load(), ["MARK_B", "MARK_INC2", "MARK_NEW"]);
    settle();
    place.write("CLAUDE.local.md", "MARK_LOCAL\n");
    assert_eq!(load(), ["MARK_B", "MARK_INC2", "MARK_NEW", "MARK_LOCAL"]);
    settle();
    std::fs::rename(place.path("inc.md"), place.path("gone.md")).unwrap();
    assert_eq!(load(), ["MARK_B", "MARK_NEW", "MARK_LOCAL"]);
    settle();
    place.write("inc.md", "MARK_BACK\n");
    assert_eq!(load()[1], "MARK_BACK");
}

#[test]
fn a_link_that_leads_elsewhere_is_seen() {
    let place = Place::new();
    place.write("one.md", "MARK_1\n");
    place.write("two.md", "MARK_2\n");
    place.link("CLAUDE.md", "one.md");
    let loader = loader(options(&place));
    let load = || marks(&loader.load(&scope(place.proj())).unwrap());
    (0..3).for_each(|_| assert_eq!(load(), ["MARK_1"]));
    std::fs::remove_file(place.path("CLAUDE.md")).unwrap();
    place.link("CLAUDE.md", "two.md");
    assert_eq!(load(), ["MARK_2"]);
}

#[test]
fn a_change_below_is_seen_by_a_path_that_is_known() {
    let place = tree();
    let loader = loader(options(&place));
    let touch = || marks(&loader.load_for_path(&scope(place.proj()), &place.path("sub/x.ts")).unwrap());
    (0..3).for_each(|_| assert_eq!(touch(), ["MARK_C", "MARK_SUB"]));
    place.write("sub/CLAUDE.md", "MARK_NEW\n");
    assert_eq!(touch(), ["MARK_C", "MARK_NEW"]);
    (0..3).for_each(|_| drop(touch()));
    place.write(".claude/rules/c.md", "---\npaths: '*.js'\n---\nMARK_C\n");
    assert_eq!(touch(), ["MARK_NEW"]);
}

#[test]
fn sessions_of_one_loader_share_what_was_read() {
    let place = tree();
    place.write("{home}/.claude/CLAUDE.md", "MARK_U\n");
    let fs = Arc::new(Counting::default());
    let loader = loader_over(fs.clone(), options(&place));
    loader.load(&scope(place.proj())).unwrap();
    fs.take();
    let other = loader.load(&scope(place.path("sub"))).unwrap();
    assert_eq!(marks(&other), ["MARK_U", "MARK_A", "MARK_R", "MARK_SUB"]);
    assert_eq!(fs.take().1, 1, "only the file that the first session did not have");
    loader.forget();
    loader.load(&scope(place.proj())).unwrap();
    assert_eq!(fs.take().1, 5);
}

#[test]
fn loads_on_many_threads_give_the_same() {
    let place = tree();
    let loader = loader(options(&place));
    let expected = loader.load(&scope(place.proj())).unwrap();
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(loader.load(&scope(place.proj())).unwrap(), expected);
                }
            });
        }
    });
}
