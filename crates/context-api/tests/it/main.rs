//! The vocabulary in its written form.

mod attachments;
mod entries;
mod ledger;
mod waiting;
