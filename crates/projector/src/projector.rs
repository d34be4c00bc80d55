//! How each destination sees one entry.

use std::collections::BTreeMap;
use std::sync::Arc;

use context_api::{
    AgentPendingMessage, Attachment, ContentBlock, ContextRecord, Destination, Destinations, Entry,
    EntryKind, Envelope, HookSuccess, ImageBlock, McpResource, ModelBlock, ModelMessage, ModelShape, Origin,
    Projection, ProjectionConfig, Projector, QueuedCommand, RelevantMemories, Role, ToolResult,
    TranscriptEvent, Trust, UserInput, queue_mode,
};

use crate::tool::Simulated;
use crate::wording::{StandardWording, Wording, text_of};
use crate::{clean, fence, signal, ui};

/// Hook events whose output a model gets to see.
const HOOK_EVENTS_SHOWN: [&str; 2] = ["SessionStart", "UserPromptSubmit"];

/// The projector of this engine: every type of [`Attachment::TABLE`], in the words of a [`Wording`].
///
/// ```
/// use std::sync::Arc;
/// use context_api::{Destination, Destinations};
/// use projector::{StandardProjector, StandardWording};
///
/// let projector = StandardProjector::default()
///     .with_wording(Arc::new(StandardWording))
///     .with_destinations("date_change", Destinations::of(&[Destination::Transcript]));
/// ```
#[derive(Clone)]
pub struct StandardProjector {
    wording: Arc<dyn Wording>,
    destinations: BTreeMap<String, Destinations>,
}

impl Default for StandardProjector {
    fn default() -> Self {
        Self { wording: Arc::new(StandardWording), destinations: BTreeMap::new() }
    }
}

impl StandardProjector {
    /// The same projector with other words.
    pub fn with_wording(mut self, wording: Arc<dyn Wording>) -> Self {
        self.wording = wording;
        self
    }

    /// The same projector with other destinations for one type of attachment, named as in JSON. For `custom`, all of the
    /// embedder's own.
    pub fn with_destinations(mut self, type_name: impl Into<String>, destinations: Destinations) -> Self {
        self.destinations.insert(type_name.into(), destinations);
        self
    }

    /// Who sees an attachment: what was set for its type, or what the type declares.
    pub fn destinations_of(&self, attachment: &Attachment) -> Destinations {
        let set = self.destinations.get(attachment.type_name()).copied();
        set.unwrap_or_else(|| attachment.destinations())
    }

    fn attachment(&self, envelope: &Envelope, config: &ProjectionConfig) -> Projection {
        let reach = self.destinations_of(&envelope.attachment);
        let mut projection = Projection::default();
        if reach.contains(Destination::Model) {
            projection.model = self.model(envelope, config);
        }
        if reach.contains(Destination::Transcript) {
            projection.transcript = Some(TranscriptEvent::Whole);
        }
        if reach.contains(Destination::Ui) {
            projection.ui = ui::event(&envelope.attachment);
        }
        if reach.contains(Destination::Runtime) {
            projection.runtime = signal::runtime(&envelope.attachment);
        }
        if reach.contains(Destination::HostControl) {
            projection.host = signal::host(envelope);
        }
        projection
    }

    fn model(&self, envelope: &Envelope, config: &ProjectionConfig) -> Vec<ModelMessage> {
        let attachment = &envelope.attachment;
        if let Some(call) = Simulated::of(attachment, &config.tool_names)
            && attachment.shape() == ModelShape::Tool
        {
            let opening = text_of(&*self.wording, attachment, &config.tool_names);
            return call.messages(envelope.uuid, &opening, &*self.wording, config);
        }
        let message = match attachment {
            Attachment::QueuedCommand(it) => self.queued(it, config),
            Attachment::AgentPendingMessage(it) => self.agent_message(it, config),
            Attachment::RelevantMemories(it) => self.memories(it),
            Attachment::McpResource(it) => self.resource(it, attachment, config),
            Attachment::HookSuccess(it) if !is_shown(it) => None,
            Attachment::Custom(it) if it.shape == ModelShape::User && it.trust == Trust::User => {
                words(&it.text)
            }
            _ => self.reminder(attachment, config),
        };
        message.into_iter().collect()
    }

    fn reminder(&self, attachment: &Attachment, config: &ProjectionConfig) -> Option<ModelMessage> {
        fence::message(
            &self.noted(text_of(&*self.wording, attachment, &config.tool_names), attachment.trust()),
        )
    }

    /// The text with what there is to say about its origin.
    fn noted(&self, text: String, trust: Trust) -> String {
        let note = self.wording.trust_note(trust);
        if clean::is_blank(&text) || note.is_empty() { text } else { format!("{}\n{note}", text.trim_end()) }
    }

    fn queued(&self, it: &QueuedCommand, config: &ProjectionConfig) -> Option<ModelMessage> {
        let images =
            it.images.iter().map(|image| ContentBlock::image(&*image.media_type, image.data.clone()));
        if is_of_a_person(it) {
            let text = words(&it.text).map(|message| message.blocks).unwrap_or_default();
            let blocks = text.into_iter().chain(images.map(ModelBlock::plain)).collect();
            return filled(blocks);
        }
        let trust = if it.origin == Origin::Channel { Trust::Network } else { Trust::Host };
        let text = self.noted(self.wording.queued_command(it, &config.tool_names), trust);
        with_media(&text, images)
    }

    fn agent_message(&self, it: &AgentPendingMessage, config: &ProjectionConfig) -> Option<ModelMessage> {
        words(&self.wording.agent_pending_message(it, &config.tool_names))
    }

    fn memories(&self, it: &RelevantMemories) -> Option<ModelMessage> {
        let texts = it.memories.iter().map(|memory| self.wording.relevant_memory(memory));
        let blocks = texts.filter(|text| !clean::is_blank(text)).map(|text| fence::reminder(&text));
        filled(blocks.map(ModelBlock::meta).collect())
    }

    fn resource(
        &self,
        it: &McpResource,
        attachment: &Attachment,
        config: &ProjectionConfig,
    ) -> Option<ModelMessage> {
        let text = self.noted(self.wording.mcp_resource(it, &config.tool_names), attachment.trust());
        let images = it.images.iter().cloned().map(|source| ContentBlock::Image(ImageBlock { source }));
        with_media(&text, images)
    }

    fn context(&self, it: &ContextRecord) -> Option<ModelMessage> {
        let pieces: Vec<_> = it.user.iter().filter(|piece| !clean::is_blank(&piece.text)).collect();
        if pieces.is_empty() { None } else { fence::message(&self.wording.context(&pieces)) }
    }

    fn summary(&self, summary: &str) -> Option<ModelMessage> {
        if clean::is_blank(summary) {
            return None;
        }
        let text = clean::text(&self.wording.summary(summary).into());
        Some(fence::of_blocks(vec![ContentBlock::text(text)]))
    }
}

impl Projector for StandardProjector {
    fn project(&self, entry: &Entry, config: &ProjectionConfig) -> Projection {
        let mut projection = match &entry.kind {
            EntryKind::Attachment(envelope) => self.attachment(envelope, config),
            other => {
                let mut projection = Projection::default();
                projection.model = match other {
                    EntryKind::User(it) => user(it).into_iter().collect(),
                    EntryKind::Assistant(it) => assistant(&it.content).into_iter().collect(),
                    EntryKind::ToolResult(it) => vec![result(it)],
                    EntryKind::Context(it) => self.context(it).into_iter().collect(),
                    EntryKind::Boundary(it) => self.summary(&it.summary).into_iter().collect(),
                    _ => Vec::new(),
                };
                projection.transcript = Some(TranscriptEvent::Whole);
                projection
            }
        };
        let blocks = projection.model.iter_mut().flat_map(|message| &mut message.blocks);
        blocks.for_each(|block| block.source = Some(entry.uuid));
        projection
    }
}

/// Whether queued input is what a person typed.
pub(crate) fn is_of_a_person(it: &QueuedCommand) -> bool {
    it.mode == queue_mode::PROMPT && it.origin == Origin::Human && !it.is_meta
}

fn is_shown(it: &HookSuccess) -> bool {
    HOOK_EVENTS_SHOWN.contains(&it.event.as_str())
}

fn filled(blocks: Vec<ModelBlock>) -> Option<ModelMessage> {
    (!blocks.is_empty()).then(|| ModelMessage::new(Role::User, blocks))
}

/// Words as they were typed, but for what is hidden in them and for tags of ours.
fn words(text: &str) -> Option<ModelMessage> {
    let plain = |text| ModelBlock::plain(ContentBlock::text(clean::text(&text)));
    (!clean::is_blank(text)).then(|| ModelMessage::new(Role::User, vec![plain(text.into())]))
}

/// A reminder with pictures behind it; none where there is neither.
fn with_media(text: &str, media: impl Iterator<Item = ContentBlock>) -> Option<ModelMessage> {
    let reminder = (!clean::is_blank(text)).then(|| fence::reminder(text));
    filled(reminder.into_iter().chain(media).map(ModelBlock::meta).collect())
}

fn user(it: &UserInput) -> Option<ModelMessage> {
    let side = if it.is_meta { ModelBlock::meta } else { ModelBlock::plain };
    filled(it.content.iter().map(|block| side(clean::block(block, false))).collect())
}

/// The model's own words stay byte for byte, but for NUL, which no provider takes back.
fn assistant(content: &[ContentBlock]) -> Option<ModelMessage> {
    let block = |block: &ContentBlock| match block {
        ContentBlock::Text(block) => ContentBlock::text(clean::without_nul(&block.text)),
        other => other.clone(),
    };
    let blocks: Vec<_> = content.iter().map(block).map(ModelBlock::plain).collect();
    (!blocks.is_empty()).then(|| ModelMessage::new(Role::Assistant, blocks))
}

fn result(it: &ToolResult) -> ModelMessage {
    let block = ContentBlock::ToolResult(clean::result(&it.block, it.raw));
    ModelMessage::new(Role::User, vec![ModelBlock::plain(block)])
}
