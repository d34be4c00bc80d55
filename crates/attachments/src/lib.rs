//! The per-turn event bus and its collectors
