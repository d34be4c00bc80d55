//! The tables of limits: one a struct, values from `Default`.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::source::{field_docs, sources};
use super::{head, row};

/// A part's limits.
struct Limits {
    package: &'static str,
    name: &'static str,
    debug: String,
}

fn of<T: Default + Debug>(package: &'static str) -> Limits {
    let name = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
    Limits { package, name, debug: format!("{:?}", T::default()) }
}

/// Every limits struct of the workspace; a struct that is missing here makes [`tables`] fail.
fn all() -> Vec<Limits> {
    vec![
        of::<agent_core::EngineLimits>("agent-core"),
        of::<agent_core::PoolLimits>("agent-core"),
        of::<attachments::BusLimits>("attachments"),
        of::<attachments::ContextLimits>("attachments"),
        of::<attachments::DeltaLimits>("attachments"),
        of::<attachments::ListLimits>("attachments"),
        of::<attachments::LookLimits>("attachments"),
        of::<attachments::HookLimits>("attachments"),
        of::<attachments::IdeLimits>("attachments"),
        of::<attachments::MentionLimits>("attachments"),
        of::<attachments::ModeLimits>("attachments"),
        of::<attachments::RelevantLimits>("attachments"),
        of::<attachments::ResourceLimits>("attachments"),
        of::<attachments::SessionMemoryLimits>("attachments"),
        of::<attachments::SkillLimits>("attachments"),
        of::<claudemd::MemoryLimits>("claudemd"),
        of::<context_budget::Limits>("context-budget"),
        of::<context_budget::AdviceLimits>("context-budget"),
        of::<context_budget::CompactionLimits>("context-budget"),
        of::<context_budget::StageLimits>("context-budget"),
        of::<dialects::AnthropicLimits>("dialects"),
        of::<dialects::GeminiLimits>("dialects"),
        of::<dialects::OpenAiLimits>("dialects"),
        of::<file_reader::ChangeLimits>("file-reader"),
        of::<file_reader::ReadLimits>("file-reader"),
        of::<file_reader::ImageLimits>("file-reader"),
        of::<file_reader::SuggestLimits>("file-reader"),
        of::<file_state_cache::StateLimits>("file-state-cache"),
        of::<git_snapshot::GitLimits>("git-snapshot"),
        of::<prompt_assembly::Limits>("prompt-assembly"),
        of::<transcript::BlobLimits>("transcript"),
        of::<transcript::StoreLimits>("transcript"),
    ]
}

/// One table a struct, by crate.
///
/// # Errors
/// A field has no doc comment, or the sources declare limits that are not listed here.
pub(super) fn tables(root: &Path) -> Result<String> {
    let all = all();
    let listed: BTreeSet<String> = all.iter().map(|one| format!("{}::{}", one.package, one.name)).collect();
    let forgotten: Vec<String> = declared(root)?.difference(&listed).cloned().collect();
    if !forgotten.is_empty() {
        bail!("not listed in xtask/src/tables/limits.rs: {}", forgotten.join(", "));
    }
    let tables: Vec<String> = all.iter().map(|limits| table(root, limits)).collect::<Result<_>>()?;
    Ok(tables.join("\n"))
}

fn table(root: &Path, limits: &Limits) -> Result<String> {
    let name = format!("{}::{}", limits.package, limits.name);
    let docs = sources(root, limits.package)?.iter().find_map(|(_, text)| field_docs(text, limits.name));
    let docs = docs.with_context(|| format!("{name} is declared nowhere"))?;
    let mut out = format!("## `{name}`\n\n{}", head(&["limit", "default", "what it bounds"]));
    for (field, value) in fields(&limits.debug) {
        let doc = docs.get(field).with_context(|| format!("{name}::{field} has no doc comment"))?;
        out.push_str(&row(&[&format!("`{field}`"), &shown(value), doc]));
    }
    Ok(out)
}

/// The limits structs that the sources declare, as `crate::Name`.
fn declared(root: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let package = entry?.file_name().to_string_lossy().into_owned();
        for (_, text) in sources(root, &package)? {
            let names = text.lines().filter_map(|line| line.trim().strip_prefix("pub struct "));
            let names =
                names.filter_map(|rest| rest.strip_suffix(" {")).filter(|name| name.ends_with("Limits"));
            found.extend(names.map(|name| format!("{package}::{name}")));
        }
    }
    Ok(found)
}

/// The fields of a struct and their values, read from what `Debug` prints of it.
fn fields(debug: &str) -> Vec<(&str, &str)> {
    let inner = debug.split_once("{ ").and_then(|(_, rest)| rest.strip_suffix(" }")).unwrap_or_default();
    let mut depth = 0_i32;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, c) in inner.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    parts.iter().filter_map(|part| part.trim().split_once(": ")).collect()
}

/// A number in groups of three; a struct of its own by its name, since it has its own table.
fn shown(value: &str) -> String {
    if let Some((name, _)) = value.split_once(" {") {
        return format!("`{name}`");
    }
    if value.len() < 5 || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value.to_owned();
    }
    let mut out = String::new();
    for (at, digit) in value.chars().enumerate() {
        if at > 0 && (value.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_from_debug_with_nested_structs_whole() {
        let debug = "L { a: 1s, b: Inner { x: 1, y: [1, 2] }, c: 25000 }";
        assert_eq!(fields(debug), [("a", "1s"), ("b", "Inner { x: 1, y: [1, 2] }"), ("c", "25000")]);
        assert_eq!(shown("Inner { x: 1 }"), "`Inner`");
        assert_eq!(["25000", "4194304", "100", "1.5s"].map(shown), ["25,000", "4,194,304", "100", "1.5s"]);
    }
}
