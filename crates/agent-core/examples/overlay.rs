//! A file system of one's own: the buffer that a person edits is what the model sees, saved or not.
//!
//! `cargo run -p agent-core --example overlay`

#![expect(clippy::print_stdout, reason = "a program that shows what it does")]

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use agent_core::context_api::{
    Attachment, DirEntries, FileContent, FileKind, FileMeta, FileSystem, Fingerprint, Follow, OpenFile,
    ReadSeek,
};
use agent_core::{Engine, LocalFs, SessionOptions, Turn};

/// The disk, with unsaved buffers in front of it.
struct Overlay {
    disk: LocalFs,
    buffers: BTreeMap<PathBuf, String>,
}

/// A buffer, open for reading.
struct Buffer(Cursor<Vec<u8>>, FileMeta);

impl Read for Buffer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Seek for Buffer {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl ReadSeek for Buffer {
    fn meta_now(&self) -> io::Result<FileMeta> {
        Ok(self.1)
    }
}

impl Overlay {
    fn meta(&self, path: &Path) -> Option<FileMeta> {
        let text = self.buffers.get(path)?;
        let fingerprint = Fingerprint { mtime_ns: 0, len: text.len() as u64, inode: 0 };
        Some(FileMeta { kind: FileKind::File, fingerprint, device: 0 })
    }
}

impl FileSystem for Overlay {
    fn metadata(&self, path: &Path, follow: Follow) -> io::Result<FileMeta> {
        self.meta(path).map_or_else(|| self.disk.metadata(path, follow), Ok)
    }

    fn open(&self, path: &Path) -> io::Result<OpenFile> {
        match (self.meta(path), self.buffers.get(path)) {
            (Some(meta), Some(text)) => {
                let bytes = Cursor::new(text.clone().into_bytes());
                Ok(OpenFile { meta, reader: Box::new(Buffer(bytes, meta)) })
            }
            _ => self.disk.open(path),
        }
    }

    fn read_dir(&self, path: &Path) -> io::Result<DirEntries> {
        self.disk.read_dir(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        if self.buffers.contains_key(path) { Ok(path.to_path_buf()) } else { self.disk.canonicalize(path) }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cwd = std::env::current_dir()?.canonicalize()?;
    let buffers = BTreeMap::from([(cwd.join("draft.rs"), "fn unsaved() {}\n".to_owned())]);
    let engine = Engine::builder(&cwd).files(Overlay { disk: LocalFs::new(), buffers }).build()?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let turn = runtime
        .block_on(engine.session(SessionOptions::default()).prepare(Turn::prompt("Review @draft.rs")))?;
    let attachment = turn.entries.iter().find_map(|entry| entry.attachment()).ok_or("nothing is attached")?;
    let Attachment::File(file) = &attachment.attachment else { return Err("no file is attached".into()) };
    let FileContent::Text(text) = &file.content else { return Err("it is no text".into()) };
    println!("{}: {}", file.display_path, text.text.trim());
    assert_eq!(&*text.text, "fn unsaved() {}\n");
    Ok(())
}
