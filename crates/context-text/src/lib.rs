//! Pure text functions that several parts of the context engine share
