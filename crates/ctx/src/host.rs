//! Host snapshots, and what of them no part takes up yet.

use agent_core::context_api::{HostSnapshot, Source};

use crate::commands::Refused;
use crate::setup::read_strictly;

/// Reads a snapshot. A key that means nothing is an error, and so is one whose part is not there yet: nothing is silently
/// ignored.
pub(crate) fn read(json: &str) -> anyhow::Result<HostSnapshot> {
    let host: HostSnapshot = read_strictly(json)?;
    let later = later(&host);
    if later.is_empty() {
        return Ok(host);
    }
    Err(Refused(format!("nothing here takes up {} of the host yet", later.join(", "))).into())
}

/// Keys that are set and that no collector reads.
fn later(host: &HostSnapshot) -> Vec<&'static str> {
    let (ide, work, budgets) = (&host.ide, &host.work, &host.budgets);
    let set = [
        ("ide.diagnostics", reported(&ide.diagnostics)),
        ("ide.lsp_diagnostics", reported(&ide.lsp_diagnostics)),
        ("work.background", reported(&work.background)),
        ("team", host.team != Default::default()),
        ("budgets.max_turns", budgets.max_turns.is_some()),
    ];
    set.into_iter().filter_map(|(key, set)| set.then_some(key)).collect()
}

fn reported<T>(source: &Source<T>) -> bool {
    !matches!(source, Source::NotReported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_takes_up_is_refused_by_its_key_and_the_rest_is_read() {
        assert!(
            read(r#"{"catalog":{"agents":{"ready":[{"name":"a"}]}},"ide":{"opened_file":"a.rs"}}"#).is_ok()
        );
        let refused = read(r#"{"team":{"name":"t"},"work":{"background":{"ready":[]}}}"#).unwrap_err();
        assert!(refused.is::<Refused>());
        assert_eq!(refused.to_string(), "nothing here takes up work.background, team of the host yet");
    }
}
