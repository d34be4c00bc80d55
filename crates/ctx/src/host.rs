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
    let (ide, modes, work, budgets) = (&host.ide, &host.modes, &host.work, &host.budgets);
    let set = [
        ("ide.diagnostics", reported(&ide.diagnostics)),
        ("ide.lsp_diagnostics", reported(&ide.lsp_diagnostics)),
        ("modes.plan", modes.plan != Default::default()),
        ("modes.auto", modes.auto),
        ("modes.output_style", modes.output_style.is_some()),
        ("modes.critical_reminder", modes.critical_reminder.is_some()),
        ("modes.companion", modes.companion.is_some()),
        ("modes.effort_keyword", modes.effort_keyword.is_some()),
        ("work.todos", reported(&work.todos)),
        ("work.tasks", reported(&work.tasks)),
        ("work.background", reported(&work.background)),
        ("work.plan", work.plan.is_some()),
        ("team", host.team != Default::default()),
        ("budgets.tokens", budgets.tokens.is_some()),
        ("budgets.usd", budgets.usd.is_some()),
        ("budgets.output_tokens", budgets.output_tokens.is_some()),
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
        let refused =
            read(r#"{"modes":{"plan":{"active":true}},"work":{"todos":{"ready":[]}}}"#).unwrap_err();
        assert!(refused.is::<Refused>());
        assert_eq!(refused.to_string(), "nothing here takes up modes.plan, work.todos of the host yet");
        assert!(read(r#"{"modes":{"plam":{}}}"#).unwrap_err().to_string().contains("modes.plam"));
    }
}
