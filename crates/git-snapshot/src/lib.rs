//! Repository facts through gix, in process and read-only
