//! A usage for people.

mod grid;
mod label;
mod page;

pub(crate) use grid::{Look, grid};
pub(crate) use page::page;
