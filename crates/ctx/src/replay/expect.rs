//! Expectations on the last turn.

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use super::body::{broken_prefix, texts};
use super::step::Expect;
use super::workspace::Workspace;

/// What the last turn left behind, and the body of the one before.
pub(crate) struct Last<'a> {
    /// The turn as it was printed.
    pub(crate) printed: &'a Value,
    /// The body of the request before.
    pub(crate) previous: Option<&'a Value>,
}

/// Checks expectations; an error says what does not hold and where.
pub(crate) fn check(expect: &Expect, last: Option<&Last<'_>>, workspace: &Workspace) -> anyhow::Result<()> {
    for path in &expect.absent {
        let real = workspace.on_disk(path)?;
        ensure!(std::fs::symlink_metadata(real).is_err(), "{path} exists");
    }
    let Some(last) = last else {
        ensure!(asks_of_disk_only(expect), "there is no turn to look at");
        return Ok(());
    };
    let text = texts(&last.printed["request"]);
    texts_hold(expect, &text)?;
    types_hold(expect, last.printed)?;
    if let Some(wanted) = &expect.decision {
        decision_holds(wanted, last.printed)?;
    }
    prefix_holds(expect, last)
}

fn asks_of_disk_only(expect: &Expect) -> bool {
    expect.r#in.is_empty()
        && expect.not_in.is_empty()
        && expect.count.is_empty()
        && expect.order.is_empty()
        && expect.types.is_empty()
        && expect.not_types.is_empty()
        && expect.decision.is_none()
        && expect.prefix_of_previous.is_none()
}

fn texts_hold(expect: &Expect, text: &str) -> anyhow::Result<()> {
    for wanted in &expect.r#in {
        ensure!(text.contains(wanted.as_str()), "{wanted:?} is not in the request");
    }
    for unwanted in &expect.not_in {
        if let Some(at) = text.find(unwanted.as_str()) {
            bail!("{unwanted:?} is in the request: {:?}", around(text, at));
        }
    }
    for (wanted, count) in &expect.count {
        let found = text.matches(wanted.as_str()).count();
        ensure!(found == *count, "{wanted:?} is {found} times in the request, not {count} times");
    }
    let mut from = 0;
    for wanted in &expect.order {
        let found = text[from..].find(wanted.as_str());
        let at =
            found.with_context(|| format!("{wanted:?} does not come in the order {:?}", expect.order))?;
        from += at + wanted.len();
    }
    Ok(())
}

fn around(text: &str, at: usize) -> &str {
    let from = context_text::floor_char(text, at.saturating_sub(40));
    let to = context_text::floor_char(text, (at + 80).min(text.len()));
    &text[from..to]
}

fn types_hold(expect: &Expect, printed: &Value) -> anyhow::Result<()> {
    let empty = Vec::new();
    let attachments = printed["attachments"].as_array().unwrap_or(&empty);
    let types: Vec<&str> = attachments.iter().filter_map(|one| one["type"].as_str()).collect();
    for wanted in &expect.types {
        ensure!(types.contains(&wanted.as_str()), "no attachment of type {wanted}; there are {types:?}");
    }
    for unwanted in &expect.not_types {
        ensure!(!types.contains(&unwanted.as_str()), "there is an attachment of type {unwanted}");
    }
    Ok(())
}

fn decision_holds(wanted: &Value, printed: &Value) -> anyhow::Result<()> {
    let wanted_all: Vec<&Value> =
        wanted.as_array().map_or_else(|| vec![wanted], |many| many.iter().collect());
    let empty = Vec::new();
    let decisions = printed["decisions"].as_array().unwrap_or(&empty);
    for wanted in wanted_all {
        let fields = wanted.as_object().context("a decision is an object")?;
        let holds = |decision: &&Value| {
            fields.iter().all(|(key, value)| {
                let found = &decision[key.as_str()];
                found == value || subject_ends(key, found, value)
            })
        };
        ensure!(
            decisions.iter().any(|decision| holds(&decision)),
            "no decision {wanted}; there are {}",
            Value::Array(decisions.clone())
        );
    }
    Ok(())
}

/// A subject may be given by the end of its path.
fn subject_ends(key: &str, found: &Value, wanted: &Value) -> bool {
    let (Some(found), Some(wanted)) = (found.as_str(), wanted.as_str()) else { return false };
    key == "subject" && found.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('/'))
}

fn prefix_holds(expect: &Expect, last: &Last<'_>) -> anyhow::Result<()> {
    let Some(wanted) = expect.prefix_of_previous else { return Ok(()) };
    let previous = last.previous.context("there is no request before")?;
    let broken = broken_prefix(previous, &last.printed["request"]);
    match (wanted, broken) {
        (true, Some(broken)) => bail!("the request before is no prefix of this one: {broken}"),
        (false, None) => bail!("the request before is a prefix of this one"),
        _ => Ok(()),
    }
}
