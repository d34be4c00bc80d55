//! Texts that a model reads in place of what its provider would refuse.

/// What stands where `what` was.
pub(crate) fn taken_out(what: &str, problem: &str) -> String {
    format!("[{what} was here and can not be shown to you: {problem}.]")
}
