//! Host snapshots.

use agent_core::context_api::HostSnapshot;

use crate::setup::read_strictly;

/// Reads a snapshot. A key that means nothing is an error: nothing is silently ignored.
pub(crate) fn read(json: &str) -> anyhow::Result<HostSnapshot> {
    read_strictly(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_means_nothing_is_named() {
        assert!(
            read(r#"{"catalog":{"agents":{"ready":[{"name":"a"}]}},"ide":{"opened_file":"a.rs"}}"#).is_ok()
        );
        assert!(read(r#"{"modes":{"plam":{}}}"#).unwrap_err().to_string().contains("modes.plam"));
    }
}
