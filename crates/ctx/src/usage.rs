//! A usage for people.

mod grid;
mod page;

pub(crate) use grid::{Look, grid};
pub(crate) use page::page;
