//! The local disk as a FileSystem: non-blocking opens, identity checks, regular files only
