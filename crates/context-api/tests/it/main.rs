//! The vocabulary in its written form.
#![expect(clippy::unwrap_used, reason = "a test that can not go on fails")]

mod attachments;
mod entries;
mod ledger;
mod waiting;
