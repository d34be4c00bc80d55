//! Append-only sessions: where entries last
