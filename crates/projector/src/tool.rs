//! Simulated tool calls: a mention looks as if the model had called the tool itself.

use std::path::Path;

use context_api::{
    Attachment, ContentBlock, LineSpan, ModelBlock, ModelMessage, ProjectionConfig, RawJson, Role, ToolNames,
    ToolResultBlock, ToolShape,
};
use context_text::{display_path, neutralise, safe_line};
use serde::Serialize;
use uuid::Uuid;

use crate::file::{file_blocks, list_text};
use crate::wording::Wording;
use crate::{clean, fence};

/// A call that somebody else made for the model, and its answer.
pub(crate) struct Simulated {
    tool: String,
    input: RawJson,
    shown: String,
    content: Vec<ContentBlock>,
}

/// Arguments of the read tool, in the order in which they are written.
#[derive(Serialize)]
struct ReadInput {
    file_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
}

/// Arguments of the list tool.
#[derive(Serialize)]
struct ListInput {
    path: String,
}

impl Simulated {
    /// The call that an attachment of the tool shape stands for; none for any other type.
    pub(crate) fn of(attachment: &Attachment, names: &ToolNames) -> Option<Self> {
        match attachment {
            Attachment::File(it) => {
                let input = read_input(&it.path, it.lines);
                Some(Self::new(&names.read, &input, &it.display_path, file_blocks(&it.content)))
            }
            Attachment::EditedImageFile(it) => {
                let input = read_input(&it.path, None);
                Some(Self::new(&names.read, &input, &it.display_path, file_blocks(&it.content)))
            }
            Attachment::Directory(it) => {
                let input = ListInput { path: path_text(&it.path) };
                let text = list_text(&it.entries, it.left_out);
                Some(Self::new(&names.list, &input, &it.display_path, vec![ContentBlock::text(text)]))
            }
            _ => None,
        }
    }

    fn new(tool: &str, input: &impl Serialize, shown: &str, content: Vec<ContentBlock>) -> Self {
        let content = content.iter().map(|block| clean::block(block, false)).collect();
        let input = RawJson::of(input).unwrap_or_default();
        Self { tool: tool.to_owned(), input, shown: safe_line(shown).into_owned(), content }
    }

    /// The messages in the shape that the configuration asks for.
    pub(crate) fn messages(
        self,
        uuid: Uuid,
        opening: &str,
        wording: &dyn Wording,
        config: &ProjectionConfig,
    ) -> Vec<ModelMessage> {
        match config.tool_shape {
            ToolShape::Blocks => self.pair(uuid),
            _ => vec![self.told(opening, wording)],
        }
    }

    fn pair(self, uuid: Uuid) -> Vec<ModelMessage> {
        let id = call_id(uuid);
        let call = ContentBlock::tool_use(id.clone(), self.tool, self.input);
        let result = ToolResultBlock { tool_use_id: id, content: self.content, is_error: false };
        vec![
            ModelMessage::new(Role::Assistant, vec![ModelBlock::meta(call)]),
            ModelMessage::new(Role::User, vec![ModelBlock::meta(ContentBlock::ToolResult(result))]),
        ]
    }

    /// One reminder with all of the text; pictures and documents stand behind it, their places marked in it.
    fn told(self, opening: &str, wording: &dyn Wording) -> ModelMessage {
        let mut media = Vec::new();
        let mut parts = vec![opening.to_owned(), wording.simulated_call(&self.tool, self.input.get())];
        for block in self.content {
            match block {
                ContentBlock::Text(block) => parts.push(block.text.to_string()),
                other => {
                    media.push(other);
                    parts.push(wording.media_follows(&self.shown, media.len() as u64));
                }
            }
        }
        parts.retain(|part| !part.is_empty());
        fence::of_blocks([fence::reminder(&parts.join("\n"))].into_iter().chain(media).collect())
    }
}

fn read_input(path: &Path, lines: Option<LineSpan>) -> ReadInput {
    let end = lines.and_then(|span| span.end.map(|end| end.saturating_sub(span.start).saturating_add(1)));
    ReadInput { file_path: path_text(path), offset: lines.map(|span| span.start), limit: end }
}

/// A path as an argument. Names of files are foreign text too.
fn path_text(path: &Path) -> String {
    neutralise(&display_path(path)).into_owned()
}

/// The id of a simulated call: the same for the same entry, in every process.
fn call_id(uuid: Uuid) -> String {
    format!("toolu_{}", uuid.as_simple())
}
