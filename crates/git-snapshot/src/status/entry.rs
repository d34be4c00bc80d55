//! One index entry against what the file system says of its path.

use gix::index::entry::{Flags, Mode, Stat, stat::Time};
use rustix::fs::FileType;

use super::settings::Settings;

/// What `lstat` alone tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing changed.
    Same,
    /// It differs, by this letter.
    Differs(char),
    /// Only the content tells. `touched`: the stat says that something happened.
    AskContent { touched: bool },
    /// A submodule: its own repository tells.
    AskSubmodule,
    /// A directory stands where a file was.
    AskDirectory,
}

/// Compares `entry` with `stat`, as it lies at the entry's path.
pub(crate) fn compare(
    entry: &gix::index::Entry,
    stat: &rustix::fs::Stat,
    is_racy: &impl Fn(&Stat) -> bool,
    settings: &Settings,
) -> Verdict {
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind == FileType::Directory && entry.mode != Mode::COMMIT {
        return Verdict::AskDirectory;
    }
    if entry.flags.contains(Flags::INTENT_TO_ADD) {
        return Verdict::Differs('A');
    }
    match kind_change(entry.mode, kind, stat.st_mode, settings) {
        Kind::Type => Verdict::Differs('T'),
        Kind::Mode => Verdict::Differs('M'),
        Kind::Same if entry.mode == Mode::COMMIT => Verdict::AskSubmodule,
        Kind::Same => by_stat(entry, stat, is_racy, settings),
    }
}

enum Kind {
    Same,
    Mode,
    Type,
}

/// Whether the kind of file or the executable bit changed. Anything that git has no name for counts as a regular file,
/// but never as the same one.
fn kind_change(mode: Mode, kind: FileType, raw: rustix::fs::RawMode, settings: &Settings) -> Kind {
    let regular = kind == FileType::RegularFile;
    match mode {
        Mode::COMMIT => {
            if kind == FileType::Directory {
                Kind::Same
            } else {
                Kind::Type
            }
        }
        Mode::SYMLINK => {
            if kind == FileType::Symlink || (regular && !settings.symlinks) {
                Kind::Same
            } else {
                Kind::Type
            }
        }
        _ if kind == FileType::Symlink => Kind::Type,
        _ if !regular => Kind::Mode,
        _ => {
            let executable = raw & 0o100 != 0;
            let differs = settings.file_mode && executable != (mode == Mode::FILE_EXECUTABLE);
            if differs { Kind::Mode } else { Kind::Same }
        }
    }
}

fn by_stat(
    entry: &gix::index::Entry,
    stat: &rustix::fs::Stat,
    is_racy: &impl Fn(&Stat) -> bool,
    settings: &Settings,
) -> Verdict {
    let now = of_index(stat);
    let known = &entry.stat;
    if known.size != now.size && known.size != 0 {
        return Verdict::Differs('M');
    }
    let smudged = known.size == 0 && !entry.id.is_empty_blob();
    // git compares whole seconds. Where the content can not tell, the finest difference counts.
    let finest = gix::index::entry::stat::Options { use_nsec: true, ..settings.stat };
    if smudged || !known.matches(&now, settings.stat) || is_racy(known) {
        return Verdict::AskContent { touched: smudged || !known.matches(&now, finest) };
    }
    Verdict::Same
}

/// `stat` in the form that the index keeps: times and sizes in 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the index keeps the low 32 bits"
)]
#[allow(clippy::unnecessary_cast, reason = "the widths differ between systems")]
fn of_index(stat: &rustix::fs::Stat) -> Stat {
    Stat {
        mtime: Time { secs: stat.st_mtime as u32, nsecs: stat.st_mtime_nsec as u32 },
        ctime: Time { secs: stat.st_ctime as u32, nsecs: stat.st_ctime_nsec as u32 },
        dev: stat.st_dev as u32,
        ino: stat.st_ino as u32,
        uid: stat.st_uid,
        gid: stat.st_gid,
        size: stat.st_size as u32,
    }
}
