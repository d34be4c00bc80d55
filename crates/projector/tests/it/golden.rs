//! What every destination sees of every type.

use context_api::{
    Attachment, ContentBlock, Destination, Destinations, Draft, Entry, EntryKind, ModelMessage, ModelShape,
    Projection, ProjectionConfig, Projector, Role, ToolShape,
};
use jiff::Timestamp;
use projector::StandardProjector;
use uuid::Uuid;

use context_testkit::{fixture, fixtures};

pub(crate) fn entry(attachment: Attachment) -> Entry {
    let uuid = Uuid::from_u128(7);
    let envelope = Draft::new(attachment).commit(uuid, Timestamp::UNIX_EPOCH);
    Entry::new(uuid, Timestamp::UNIX_EPOCH, 1, EntryKind::Attachment(envelope))
}

pub(crate) fn project(attachment: Attachment, shape: ToolShape) -> Projection {
    StandardProjector::default().project(&entry(attachment), &ProjectionConfig::default().tool_shape(shape))
}

fn render(projection: &Projection) -> String {
    let mut out = String::from("model:\n");
    for message in &projection.model {
        out.push_str(&message_text(message));
    }
    let json = |what: &str, value: String| format!("{what}: {value}\n");
    out.push_str(&json("transcript", serde_json::to_string(&projection.transcript).unwrap()));
    out.push_str(&json("ui", serde_json::to_string(&projection.ui).unwrap()));
    out.push_str(&json("runtime", serde_json::to_string(&projection.runtime).unwrap()));
    out.push_str(&json("host", serde_json::to_string(&projection.host).unwrap()));
    out
}

fn message_text(message: &ModelMessage) -> String {
    let role = if message.role == Role::User { "user" } else { "assistant" };
    let blocks = message.blocks.iter().map(|block| {
        let meta = if block.meta { ", meta" } else { "" };
        assert_eq!(block.source, Some(Uuid::from_u128(7)));
        let content = match &block.content {
            ContentBlock::Text(text) => text.text.to_string(),
            other => serde_json::to_string(other).unwrap(),
        };
        format!("[{role}{meta}]\n{content}\n")
    });
    blocks.collect()
}

#[test]
fn each_type_as_each_destination_sees_it() {
    for attachment in fixtures() {
        let name = attachment.type_name();
        let mut shown = render(&project(attachment.clone(), ToolShape::Text));
        if attachment.shape() == ModelShape::Tool {
            shown.push_str(&format!("\nas blocks:\n{}", render(&project(attachment, ToolShape::Blocks))));
        }
        insta::assert_snapshot!(name, shown);
    }
}

#[test]
fn a_destination_sees_exactly_the_types_that_the_table_says() {
    for attachment in fixtures() {
        let reach = attachment.destinations();
        let projection = project(attachment.clone(), ToolShape::Text);
        let name = attachment.type_name();
        assert_eq!(!projection.model.is_empty(), reach.contains(Destination::Model), "{name}");
        assert_eq!(projection.transcript.is_some(), reach.contains(Destination::Transcript), "{name}");
        assert_eq!(projection.ui.is_some(), reach.contains(Destination::Ui), "{name}");
        assert_eq!(!projection.runtime.is_empty(), reach.contains(Destination::Runtime), "{name}");
        assert_eq!(!projection.host.is_empty(), reach.contains(Destination::HostControl), "{name}");
    }
}

#[test]
fn an_override_decides_for_every_type() {
    let all = Destinations::of(&Destination::ALL);
    for attachment in fixtures() {
        let name = attachment.type_name();
        let to = |reach| StandardProjector::default().with_destinations(name, reach);
        let config = ProjectionConfig::default();
        let everything = to(all).project(&entry(attachment.clone()), &config);
        assert!(!everything.model.is_empty() && everything.ui.is_some(), "{name}");
        let nothing = to(Destinations::NONE).project(&entry(attachment), &config);
        assert_eq!(nothing, Projection::default(), "{name}");
    }
}

#[test]
fn a_simulated_call_has_an_id_made_of_its_entry() {
    let projection = project(fixture("file"), ToolShape::Blocks);
    let ContentBlock::ToolUse(call) = &projection.model[0].blocks[0].content else { panic!("no call") };
    assert_eq!(call.id, "toolu_00000000000000000000000000000007");
    assert!(call.id.len() <= 64);
}

#[test]
fn a_mention_and_a_read_tool_give_the_same_bytes() {
    let Attachment::File(file) = fixture("file") else { panic!("no file") };
    let read = projector::file_blocks(&file.content);
    let blocks = project(file.clone().into(), ToolShape::Blocks);
    let ContentBlock::ToolResult(result) = &blocks.model[1].blocks[0].content else { panic!("no result") };
    assert_eq!(result.content, read);
    let text = project(file.into(), ToolShape::Text);
    let shown = text.model[0].blocks[0].content.as_text().unwrap();
    assert!(shown.contains(read[0].as_text().unwrap()));
}
