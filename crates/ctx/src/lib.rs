//! The reference command line of the context engine
