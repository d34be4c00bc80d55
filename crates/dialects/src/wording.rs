//! Texts that a model reads because a provider's form lacks something.

/// What stands where `what` was.
pub(crate) fn taken_out(what: &str, problem: &str) -> String {
    format!("[{what} was here and can not be shown to you: {problem}.]")
}

/// The result of a call that printed nothing, where a result can not be empty.
pub(crate) const NO_OUTPUT: &str = "[no output]";

/// In front of the result of a failed call, where a result can not be marked as failed.
pub(crate) const FAILED: &str = "[The call failed.]";

/// The text of a result that holds pictures or documents only.
pub(crate) const MEDIA_BELOW: &str = "[The result is shown below.]";

/// In front of a result's pictures and documents where they stand behind all results.
pub(crate) fn media_of(tool: &str) -> String {
    format!("[From the result of {tool}:]")
}

/// A document of text.
pub(crate) fn document(title: Option<&str>, text: &str) -> String {
    match title {
        Some(title) => format!("[Document {title}]\n{text}"),
        None => format!("[Document]\n{text}"),
    }
}

/// Name of a file that has none.
pub(crate) const FILE_NAME: &str = "document.pdf";
