//! The schemas against what the program writes and reads.

use std::fs;
use std::path::{Path, PathBuf};

use agent_core::context_api::{Attachment, Draft, Entry, EntryKind, HostSnapshot};
use serde_json::{Value, json};

use super::validator::validate;
use super::{schemas, steps};
use crate::replay::step::{KNOWN, Step};
use crate::setup::read_strictly;

fn schema(name: &str) -> Value {
    schemas().into_iter().find(|(one, _)| *one == name).expect("there is such a schema").1
}

fn entry(attachment: Attachment) -> Value {
    let envelope = Draft::new(attachment).commit(uuid::Uuid::nil(), jiff::Timestamp::UNIX_EPOCH);
    let (uuid, timestamp) = (envelope.uuid, envelope.timestamp);
    serde_json::to_value(Entry::new(uuid, timestamp, 1, EntryKind::Attachment(envelope))).expect("JSON")
}

/// Every line of every scenario that is a step.
fn lines() -> Vec<(String, String)> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios")];
    let mut lines = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a directory");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            lines.extend(of_file(&path));
        }
    }
    assert!(lines.len() > 1000, "the scenarios are not where they were");
    lines
}

fn of_file(path: &PathBuf) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).expect("a scenario");
    let steps = text.lines().enumerate().map(|(number, line)| (number, line.trim()));
    let steps = steps.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let place = |number| format!("{}:{}", path.display(), number + 1);
    steps.map(|(number, line)| (place(number), context_text::repair_surrogates(line).into_owned())).collect()
}

/// Whether the program takes a line for a step, before it runs it.
fn is_read(line: &str) -> Result<(), String> {
    let text = crate::replay::repeated(line.to_owned()).map_err(|error| error.to_string())?;
    match Step::read(&text).map_err(|error| format!("{error:#}"))? {
        Step::Host(host) => {
            let whole = crate::replay::without_nulls(host).to_string();
            read_strictly::<HostSnapshot>(&whole).map(drop).map_err(|error| format!("{error:#}"))
        }
        _ => Ok(()),
    }
}

#[test]
fn every_attachment_that_is_written_is_an_entry_by_the_schema() {
    let schema = schema("entry");
    for fixture in context_testkit::fixtures() {
        let name = fixture.type_name();
        let mut written = entry(fixture);
        assert_eq!(validate(&schema, &written), Ok(()), "{name}");
        written["payload"]["attachment"]["type"] = json!(7);
        assert!(validate(&schema, &written).is_err(), "{name} with a type that is no text");
    }
}

#[test]
fn a_field_of_a_wrong_kind_is_no_entry() {
    let schema = schema("entry");
    for fixture in context_testkit::fixtures() {
        let name = fixture.type_name();
        let written = entry(fixture);
        let fields = written["payload"]["attachment"].as_object().expect("an object").keys().cloned();
        for field in fields {
            let mut wrong = written.clone();
            wrong["payload"]["attachment"][&field] = json!([[[{}]]]);
            let is_read = serde_json::from_value::<Entry>(wrong.clone()).is_ok();
            assert_eq!(validate(&schema, &wrong).is_ok(), is_read, "{name}.{field}");
        }
    }
}

#[test]
fn an_entry_of_an_unknown_type_is_one_by_the_schema() {
    let mut written = entry(Attachment::default());
    written["type"] = json!("of_tomorrow");
    assert_eq!(validate(&schema("entry"), &written), Ok(()));
    written["type"] = json!("user");
    written["payload"] = json!({"content": 7});
    assert!(validate(&schema("entry"), &written).is_err());
}

#[test]
fn the_schema_of_steps_names_the_steps_that_there_are() {
    assert_eq!(steps::names(), KNOWN);
}

#[test]
fn a_line_is_a_step_by_the_schema_where_the_program_takes_it() {
    let schema = schema("scenario-step");
    for (place, line) in lines() {
        let value: Value = serde_json::from_str(&line).unwrap_or_default();
        let (by_schema, by_program) = (validate(&schema, &value), is_read(&line));
        assert_eq!(by_schema.is_ok(), by_program.is_ok(), "{place}: {by_schema:?} but {by_program:?}");
    }
}

#[test]
fn a_step_with_a_key_too_many_is_none() {
    let schema = schema("scenario-step");
    for (place, line) in lines() {
        let mut value: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(fields) = value.as_object_mut() else { continue };
        fields.insert("of_tomorrow".into(), json!(1));
        assert!(validate(&schema, &value).is_err(), "{place}");
    }
}

#[test]
fn what_hosts_say_in_scenarios_is_a_snapshot_by_the_schema() {
    let schema = schema("host-snapshot");
    let mut seen = 0;
    for (place, line) in lines() {
        let value: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(host) = value.get("host").filter(|_| !line.contains("\"repeat\"")) else { continue };
        let host = crate::replay::without_nulls(host.clone());
        let is_read = read_strictly::<HostSnapshot>(&host.to_string());
        let by_schema = validate(&schema, &host);
        assert_eq!(by_schema.is_ok(), is_read.is_ok(), "{place}: {by_schema:?} but {is_read:?}");
        seen += 1;
    }
    assert!(seen > 5, "{seen} hosts");
    assert!(validate(&schema, &json!({"ide": {"nmae": "x"}})).is_err(), "a misspelt key");
}
