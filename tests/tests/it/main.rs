//! The program as a whole: scenarios, and the command line.

mod browser;
mod cli;
mod completeness;
mod repositories;
mod scenarios;
mod support;
