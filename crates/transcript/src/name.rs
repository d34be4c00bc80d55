//! Names that become file names.

use context_api::{StoreError, StoreErrorKind};

/// Bytes of a name at most: with an extension and a mark of its own it stays under the 255 of common file systems.
const LONGEST: usize = 200;

/// Whether `name` stays what it is as a file name on every system: letters, digits, `-`, `_` and single `.`, not at the
/// beginning or the end.
pub(crate) fn is_allowed(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !name.is_empty()
        && name.len() <= LONGEST
        && name.bytes().all(allowed)
        && !name.contains("..")
        && !name.starts_with(['.', '-'])
        && !name.ends_with('.')
}

/// The id of a session, checked.
pub(crate) fn session(id: &str) -> Result<&str, StoreError> {
    if is_allowed(id) {
        return Ok(id);
    }
    let reason = "the id is no name: letters, digits, `-`, `_` and single `.` are allowed, 200 at most";
    Err(StoreError::new(context_text::safe_line(id), StoreErrorKind::BadName, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_leave_its_directory_or_hide_there() {
        for good in ["a", "0192-abc", "parent.agent_1", "X.y-z"] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "", ".", "..", "../a", "a/b", "a\\b", "a..b", ".hidden", "-rf", "a.", "a\0b", "a\nb", "é", "C:x",
            "a b",
        ] {
            assert!(!is_allowed(bad), "{bad:?}");
        }
        assert!(!is_allowed(&"a".repeat(LONGEST + 1)));
    }
}
