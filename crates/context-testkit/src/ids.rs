//! Identities in order.

use std::sync::atomic::{AtomicU64, Ordering};

use context_api::Ids;
use uuid::Uuid;

/// Uuids of version 7 that count up from 1, the same in every run.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn next(&self) -> Uuid {
        let count = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        // 2026-04-25T12:00:00Z in milliseconds, so that they look like real ones and sort in order.
        uuid::Builder::from_unix_timestamp_millis(1_777_118_400_000 + count, &[0; 10]).into_uuid()
    }
}
