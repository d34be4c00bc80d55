//! Hermetic support for tests: fixed clock, ids, homes and file systems
