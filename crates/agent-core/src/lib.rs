//! Engine, Session and Turn: the parts wired together
