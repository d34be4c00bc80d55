//! What only a Unix system's disk can do.

use std::io;
use std::path::Path;

/// Makes a symbolic link.
#[cfg(unix)]
pub(super) fn symlink(target: &str, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Sets the bits of a mode.
#[cfg(unix)]
pub(super) fn set_mode(path: &Path, bits: u32) -> io::Result<()> {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(bits))
}

/// Sets the owner; needs root.
#[cfg(unix)]
pub(super) fn set_owner(path: &Path, owner: u32) -> io::Result<()> {
    std::os::unix::fs::lchown(path, Some(owner), None)
}

#[cfg(not(unix))]
pub(super) fn symlink(_target: &str, _link: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
pub(super) fn set_mode(_path: &Path, _bits: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
pub(super) fn set_owner(_path: &Path, _owner: u32) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
