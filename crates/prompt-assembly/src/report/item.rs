//! A request as a row of blocks, in the order in which providers match a prefix.

use context_api::{ContentBlock, ModelBlock, ModelRequest, RequestTool, Role, SystemBlock};

use super::Blame;
use crate::{CONTEXT_KEY, HEADER_KEY};

/// One block of a request.
pub(super) struct Item {
    pub(super) place: String,
    pub(super) blame: Blame,
    /// What is compared and counted.
    pub(super) text: String,
    /// A setting that breaks the cache though it is no text; it counts no bytes.
    pub(super) parameter: Option<String>,
    /// Whether a breakpoint stands on it.
    pub(super) mark: bool,
}

/// What makes two blocks the same thing, whatever they say and wherever they stand.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity<'a> {
    Named(&'a Blame),
    Entry(uuid::Uuid),
    Place(&'a str),
}

impl Item {
    fn new(place: String, blame: Blame, text: String, mark: bool) -> Self {
        Self { place, blame, text, parameter: None, mark }
    }

    fn parameter(place: &str, blame: Blame, value: String) -> Self {
        Self { place: place.to_owned(), blame, text: String::new(), parameter: Some(value), mark: false }
    }

    pub(super) fn same_bytes(&self, other: &Self) -> bool {
        self.text == other.text && self.parameter == other.parameter
    }

    pub(super) fn identity(&self) -> Identity<'_> {
        match &self.blame {
            Blame::Message { source: Some(source), .. } => Identity::Entry(*source),
            Blame::Message { source: None, .. } => Identity::Place(&self.place),
            named => Identity::Named(named),
        }
    }
}

/// The model first, since each has a cache of its own; the budget for thinking before the messages, since it leaves the
/// cached tools and system prompt in force.
pub(super) fn items(request: &ModelRequest) -> Vec<Item> {
    let mut out = vec![Item::parameter("model", Blame::Model, request.model.clone())];
    out.extend(request.tools.iter().enumerate().map(|(index, tool)| of_tool(index, tool)));
    for (index, block) in request.system.iter().enumerate() {
        of_system(index, block, &mut out);
    }
    out.push(Item::parameter("thinking", Blame::Thinking, format!("{:?}", request.thinking)));
    for (index, message) in request.messages.iter().enumerate() {
        let blocks = message.blocks.iter().enumerate();
        out.extend(blocks.map(|(at, block)| of_block(index, at, message.role, block)));
    }
    out
}

fn of_tool(index: usize, tool: &RequestTool) -> Item {
    let text = format!("{}\n{}\n{}", tool.name, tool.description, tool.input_schema.get());
    Item::new(format!("tools[{index}]"), Blame::Tool { name: tool.name.clone() }, text, tool.cache.is_some())
}

/// One item a part. A block that says nothing of its parts is one item; text between parts goes with the part behind it.
fn of_system(index: usize, block: &SystemBlock, out: &mut Vec<Item>) {
    let place = format!("system[{index}]");
    let mut from = 0;
    for part in &block.parts {
        let Some(text) = block.text.get(from..part.range.end) else { continue };
        out.push(Item::new(place.clone(), of_key(&part.key), text.to_owned(), false));
        from = part.range.end;
    }
    let rest = &block.text[from..];
    if !rest.is_empty() {
        out.push(Item::new(place.clone(), Blame::Section { key: place }, rest.to_owned(), false));
    }
    if let Some(last) = out.last_mut() {
        last.mark |= block.cache.is_some();
    }
}

fn of_key(key: &str) -> Blame {
    match key.strip_prefix(CONTEXT_KEY) {
        Some(key) => Blame::SystemContext { key: key.to_owned() },
        None if key == HEADER_KEY => Blame::Section { key: HEADER_KEY.to_owned() },
        None => Blame::Section { key: key.to_owned() },
    }
}

fn of_block(index: usize, at: usize, role: Role, block: &ModelBlock) -> Item {
    let blame = Blame::Message { index, block: at, source: block.source };
    let mark = block.cache.is_some();
    Item::new(format!("messages[{index}].content[{at}]"), blame, text_of(role, &block.content), mark)
}

fn text_of(role: Role, content: &ContentBlock) -> String {
    let role = match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    // A block that can not be written is compared by its debug form: never equal to another by accident.
    let content = serde_json::to_string(content).unwrap_or_else(|_| format!("{content:?}"));
    format!("{role} {content}")
}
