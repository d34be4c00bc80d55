//! Which process works on which session.
//!
//! Each store has one file in `.owners/`, locked as long as its process lives, which lists its sessions. However a process
//! ends, its lock goes with it; and a thousand sessions cost one open file.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::private;

const DIRECTORY: &str = ".owners";
const GUARD: &str = "guard";
/// Between two tries to take the guard of the directory.
const GUARD_PAUSE: Duration = Duration::from_millis(5);

/// The sessions of this store, and a look at those of others. One store of a process has one.
#[derive(Debug)]
pub(crate) struct Owners {
    directory: PathBuf,
    guard_tries: u32,
    own: Mutex<Own>,
}

#[derive(Debug, Default)]
struct Own {
    file: Option<(PathBuf, File)>,
    sessions: HashSet<String>,
}

/// Why a session was not claimed.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It belongs to somebody else: the number of the process.
    InUse(String),
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Owners {
    /// The owners below `root`. Looks at nothing yet.
    pub(crate) fn new(root: &Path, guard_tries: u32) -> Self {
        Self { directory: root.join(DIRECTORY), guard_tries, own: Mutex::default() }
    }

    /// Makes a session this store's. May block.
    pub(crate) fn claim(&self, session: &str) -> Result<(), Refused> {
        let mut own = self.own();
        if own.sessions.contains(session) {
            return Ok(());
        }
        let _guard = self.guard()?;
        let others = self.others(own.file.as_ref().map(|(path, _)| path.as_path()))?;
        if let Some(other) = others.into_iter().find(|other| other.sessions.contains(session)) {
            return Err(Refused::InUse(other.process));
        }
        let file = self.own_file(&mut own)?;
        file.write_all(format!("+{session}\n").as_bytes())?;
        own.sessions.insert(session.to_owned());
        Ok(())
    }

    /// Lets others have a session. May block.
    pub(crate) fn release(&self, session: &str) -> io::Result<()> {
        let mut own = self.own();
        if !own.sessions.remove(session) {
            return Ok(());
        }
        match &mut own.file {
            Some((_, file)) => file.write_all(format!("-{session}\n").as_bytes()),
            None => Ok(()),
        }
    }

    /// Lets others have all of its sessions, unless it is at work with them just now. Closes a file and nothing more.
    pub(crate) fn let_go(&self) {
        if let Ok(mut own) = self.own.try_lock() {
            *own = Own::default();
        }
    }

    /// Every session that some process works on. May block.
    pub(crate) fn live(&self) -> io::Result<HashSet<String>> {
        let own = self.own();
        let mut live = own.sessions.clone();
        if !self.directory.exists() {
            return Ok(live);
        }
        let _guard = self.guard()?;
        let others = self.others(own.file.as_ref().map(|(path, _)| path.as_path()))?;
        live.extend(others.into_iter().flat_map(|other| other.sessions));
        Ok(live)
    }

    fn own(&self) -> std::sync::MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while the directory is looked at or changed.
    fn guard(&self) -> io::Result<File> {
        private::directory(&self.directory)?;
        let file = private::options().append(true).create(true).open(self.directory.join(GUARD))?;
        for _ in 0..self.guard_tries {
            if is_free(&file)? {
                return Ok(file);
            }
            std::thread::sleep(GUARD_PAUSE);
        }
        Err(io::Error::new(io::ErrorKind::TimedOut, format!("{} stays locked", self.directory.display())))
    }

    fn own_file<'a>(&self, own: &'a mut Own) -> io::Result<&'a mut File> {
        if own.file.is_none() {
            own.file = Some(self.new_file()?);
        }
        match &mut own.file {
            Some((_, file)) => Ok(file),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// A file with a number that nobody has.
    fn new_file(&self) -> io::Result<(PathBuf, File)> {
        for number in 1_u32.. {
            let path = self.directory.join(number.to_string());
            match private::options().append(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    is_free(&file)?;
                    file.write_all(format!("{}\n", std::process::id()).as_bytes())?;
                    return Ok((path, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Owners that live, besides this one; what dead ones left behind is removed.
    fn others(&self, own: Option<&Path>) -> io::Result<Vec<Other>> {
        let mut others = Vec::new();
        for found in fs::read_dir(&self.directory)? {
            let path = found?.path();
            let is_number =
                path.file_name().is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit));
            if !is_number || own == Some(path.as_path()) {
                continue;
            }
            others.extend(Other::at(&path)?);
        }
        Ok(others)
    }
}

/// Another store.
struct Other {
    process: String,
    sessions: HashSet<String>,
}

impl Other {
    /// The owner with this file, if it lives.
    fn at(path: &Path) -> io::Result<Option<Self>> {
        let mut file = match OpenOptions::new().read(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if is_free(&file)? {
            let _litter = fs::remove_file(path);
            return Ok(None);
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let mut lines = text.lines();
        let mut other =
            Self { process: lines.next().unwrap_or_default().to_owned(), sessions: HashSet::new() };
        for line in lines {
            match line.split_at_checked(1) {
                Some(("+", session)) => drop(other.sessions.insert(session.to_owned())),
                Some(("-", session)) => drop(other.sessions.remove(session)),
                _ => {}
            }
        }
        Ok(Some(other))
    }
}

/// Takes the lock of a file if nobody has it. Where the file system knows no locks, nobody ever has.
fn is_free(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_belongs_to_one_store_until_it_lets_go_or_ends() {
        let place = tempfile::tempdir().unwrap();
        let (one, two) = (Owners::new(place.path(), 400), Owners::new(place.path(), 400));
        one.claim("a").unwrap();
        one.claim("a").unwrap();
        two.claim("b").unwrap();
        let Err(Refused::InUse(process)) = two.claim("a") else { panic!("two stores have it") };
        assert_eq!(process, std::process::id().to_string());
        assert_eq!(two.live().unwrap(), ["a", "b"].map(str::to_owned).into());
        one.release("a").unwrap();
        two.claim("a").unwrap();
        assert!(matches!(one.claim("a"), Err(Refused::InUse(_))));
        drop(two);
        one.claim("a").unwrap();
        assert_eq!(one.live().unwrap(), ["a"].map(str::to_owned).into());
    }

    #[test]
    fn dead_owners_leave_no_files_behind() {
        let place = tempfile::tempdir().unwrap();
        for round in 0..5 {
            Owners::new(place.path(), 400).claim(&format!("s{round}")).unwrap();
        }
        let last = Owners::new(place.path(), 400);
        last.claim("x").unwrap();
        assert_eq!(fs::read_dir(place.path().join(DIRECTORY)).unwrap().count(), 2, "the guard and its own");
    }
}
