//! Opening on Unix: never waiting for a writer, never through a link.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

const FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NOCTTY);

#[cfg(target_os = "linux")]
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, ResolveFlags, openat2};
    use rustix::io::Errno;
    match openat2(CWD, path, FLAGS, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        Ok(file) => Ok(File::from(file)),
        // Kernels before 5.6 and some sandboxes do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => open_last_component(path),
        Err(error) => Err(error.into()),
    }
}

/// Whether a path leads to something without passing a link; a `false` may also mean that the kernel can not tell.
#[cfg(target_os = "linux")]
pub(crate) fn leads_through_no_link(path: &Path) -> bool {
    use rustix::fs::{CWD, ResolveFlags, openat2};
    openat2(CWD, path, OFlags::PATH.union(OFlags::CLOEXEC), Mode::empty(), ResolveFlags::NO_SYMLINKS).is_ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    open_last_component(path)
}

fn open_last_component(path: &Path) -> io::Result<File> {
    Ok(File::from(rustix::fs::open(path, FLAGS, Mode::empty())?))
}
