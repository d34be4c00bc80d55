//! Files and directories that only their owner reads.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// How a file is opened that nobody else may read when it is made.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens a file for reading; a pipe or a device would hold the reader, or never end.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    only_regular(&fs::metadata(path)?)?;
    File::open(path)
}

/// # Errors
/// It is something else than a regular file.
pub(crate) fn only_regular(meta: &fs::Metadata) -> io::Result<()> {
    if meta.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Makes a directory that nobody else may enter, and those above it. One that is there stays as it is.
pub(crate) fn directory(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}
