//! Finds, reads, includes, filters and renders memory files
