//! The bus and its collectors, from outside.

mod bus;
mod mentions;
mod support;
