//! What a model gets to see of real files on a real disk.

mod directories;
mod support;
mod texts;
mod trouble;
