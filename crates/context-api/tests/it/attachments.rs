//! Every type of attachment, written and read.

use context_api::{Attachment, CustomAttachment, Destination, Destinations, ModelShape, RawJson, Trust};
use context_testkit::fixtures;

#[test]
fn every_row_of_the_table_has_exactly_one_fixture() {
    let mut rows: Vec<_> = Attachment::TABLE.iter().map(|row| row.name).collect();
    let mut made: Vec<_> = fixtures().iter().map(Attachment::type_name).collect();
    rows.sort_unstable();
    made.sort_unstable();
    assert_eq!(made, rows);
}

#[test]
fn the_written_form_of_each_type_is_as_it_was() {
    let lines: Vec<_> = fixtures().iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn each_type_comes_back_as_it_was_written() {
    for attachment in fixtures() {
        let json = serde_json::to_string(&attachment).unwrap();
        let tag = format!("{{\"type\":\"{}\"", attachment.type_name());
        assert!(json.starts_with(&tag), "the tag comes first: {json}");
        let read: Attachment = serde_json::from_str(&json).unwrap();
        assert_eq!(read, attachment);
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
    }
}

#[test]
fn a_type_of_a_newer_version_survives_byte_for_byte() {
    let json = r#"{"type":"hologram","z":[1, 2],"a":{"n":1.50,"big":123456789012345678901234567890}}"#;
    let read: Attachment = serde_json::from_str(json).unwrap();
    assert_eq!(read.type_name(), "unknown");
    assert_eq!(read.shape(), ModelShape::None);
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
}

#[test]
fn a_field_of_a_newer_version_costs_nothing() {
    let read: Attachment =
        serde_json::from_str(r#"{"type":"agent_mention","agent":"a","added_later":1}"#).unwrap();
    assert_eq!(read, context_api::AgentMention::default().agent("a").into());
}

#[test]
fn a_custom_one_goes_where_it_says() {
    let custom = CustomAttachment::default()
        .kind("weather")
        .data(RawJson::parse(r#"{"b":1,"a":2}"#).unwrap())
        .text("rain")
        .shape(ModelShape::Reminder)
        .destinations(Destinations::of(&[Destination::Model, Destination::Ui]))
        .trust(Trust::Network);
    let attachment = Attachment::from(custom);
    let json = serde_json::to_string(&attachment).unwrap();
    insta::assert_snapshot!(json, @r#"{"type":"custom","kind":"weather","data":{"b":1,"a":2},"text":"rain","destinations":["model","ui"],"trust":"network"}"#);
    let read: Attachment = serde_json::from_str(&json).unwrap();
    assert_eq!(read, attachment);
    assert!(
        read.destinations().contains(Destination::Ui)
            && !read.destinations().contains(Destination::Transcript)
    );
}

#[test]
fn each_type_reaches_the_transcript_and_the_model_unless_its_shape_is_none() {
    for row in Attachment::TABLE {
        assert!(row.destinations.contains(Destination::Transcript), "{}", row.name);
        assert_eq!(
            row.destinations.contains(Destination::Model),
            row.shape != ModelShape::None,
            "{}",
            row.name
        );
        assert!(!row.summary.trim().is_empty());
    }
}
