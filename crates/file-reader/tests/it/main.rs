//! What a model gets to see of real files on a real disk.

mod change_cost;
mod change_races;
mod change_room;
mod changes;
mod directories;
#[cfg(feature = "image")]
mod images;
mod notebooks;
#[cfg(feature = "pdf")]
mod pdfs;
mod session;
mod support;
mod texts;
mod trouble;
