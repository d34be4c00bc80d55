//! Reading many files at the same time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::HashMap;

use context_api::FileMeta;

use crate::context::Context;
use crate::disk::Unread;
use crate::parsed::Parsed;

/// A parsed file by its canonical path, or why there is none.
pub(crate) type ParsedFiles = HashMap<PathBuf, Result<Arc<Parsed>, Unread>>;

/// Reads and parses files on up to `threads` threads, this one counted.
pub(crate) fn parse_all(context: &Context, files: &[(PathBuf, FileMeta)], threads: usize) -> ParsedFiles {
    let next = AtomicUsize::new(0);
    let threads = threads.min(std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let work = || {
        let mut done = Vec::with_capacity(files.len() / threads + 1);
        while let Some((path, seen)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((path.clone(), context.parse(path, seen)));
        }
        done
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all: ParsedFiles = work().into_iter().collect();
        // A thread that panicked leaves its files to be read one by one.
        all.extend(others.into_iter().filter_map(|thread| thread.join().ok()).flatten());
        all
    })
}
