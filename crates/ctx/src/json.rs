//! What `--json` holds.

use agent_core::context_api::{
    Attachment, Decision, Dialect, Entry, Envelope, Fingerprint, GitSnapshot, HostSignal, MemoryFile,
    MemoryLoad, RawJson, UiEvent, Verdict,
};
use agent_core::{PreparedTurn, Settings};
use serde::Serialize;

use crate::setup::raw;

/// `ctx build --json`, and each turn of `ctx replay`.
#[derive(Debug, Serialize)]
pub(crate) struct Turn<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<u64>,
    pub(crate) request: Option<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blocked: Option<&'a str>,
    pub(crate) attachments: Vec<RawJson>,
    pub(crate) ui: &'a [UiEvent],
    pub(crate) signals: &'a [HostSignal],
    pub(crate) decisions: &'a [Decision],
    pub(crate) usage: RawJson,
    pub(crate) cache: RawJson,
}

impl<'a> Turn<'a> {
    /// All of a prepared turn, its body in `dialect`.
    pub(crate) fn of(prepared: &'a PreparedTurn, dialect: &dyn Dialect) -> anyhow::Result<Self> {
        let request = match &prepared.request {
            Some(_) => Some(RawJson::parse(&String::from_utf8(prepared.encode(dialect)?.body)?)?),
            None => None,
        };
        Ok(Self {
            turn: None,
            request,
            blocked: prepared.blocked.as_deref(),
            attachments: attachments(&prepared.entries)?,
            ui: &prepared.ui,
            signals: &prepared.signals,
            decisions: &prepared.decisions,
            usage: raw(&prepared.usage())?,
            cache: prepared.cache().map_or_else(|| Ok(RawJson::empty_object()), |report| raw(&report))?,
        })
    }
}

/// The attachments among entries.
pub(crate) fn attachments(entries: &[std::sync::Arc<Entry>]) -> anyhow::Result<Vec<RawJson>> {
    entries.iter().filter_map(|entry| entry.attachment()).map(attachment).collect()
}

/// `ctx explain --origins --json`.
#[derive(Debug, Serialize)]
pub(crate) struct SettingsReport<'a> {
    settings: Vec<Setting<'a>>,
    decisions: &'a [Decision],
}

#[derive(Debug, Serialize)]
struct Setting<'a> {
    key: &'a str,
    value: &'a str,
    layer: &'static str,
    path: Option<String>,
    outcome: &'static str,
}

impl<'a> SettingsReport<'a> {
    /// Every value that some layer says, the weakest first.
    pub(crate) fn of(settings: &'a Settings) -> Self {
        let each = settings.origins.iter().map(|origin| Setting {
            key: &origin.key,
            value: &origin.value,
            layer: origin.layer.name(),
            path: origin.path.as_deref().map(context_text::display_path),
            outcome: origin.outcome.name(),
        });
        Self { settings: each.collect(), decisions: &settings.decisions }
    }
}

/// `{"type": …, "uuid": …, "timestamp": …, …payload}`.
pub(crate) fn attachment(envelope: &Envelope) -> anyhow::Result<RawJson> {
    let payload = serde_json::to_string(&without_disk_facts(&envelope.attachment))?;
    let tag = format!("{{\"type\":{}", serde_json::to_string(envelope.attachment.type_name())?);
    let head = format!("{tag},\"uuid\":\"{}\",\"timestamp\":\"{}\"", envelope.uuid, envelope.timestamp);
    // An unknown type keeps its own text, tag and all.
    let text = payload.strip_prefix(&tag).map_or_else(|| payload.clone(), |rest| format!("{head}{rest}"));
    Ok(RawJson::parse(&text)?)
}

/// Times and inodes differ from machine to machine and tell a reader nothing.
fn without_disk_facts(attachment: &Attachment) -> Attachment {
    match attachment {
        Attachment::File(file) => file.clone().fingerprint(Fingerprint::default()).into(),
        other => other.clone(),
    }
}

/// `ctx memory --json`.
#[derive(Debug, Serialize)]
pub(crate) struct Memory {
    pub(crate) files: Vec<File>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nested: Option<Vec<File>>,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) pending: Vec<Pending>,
}

#[derive(Debug, Serialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) kind: agent_core::context_api::MemoryKind,
    pub(crate) parent: Option<String>,
    pub(crate) globs: Vec<String>,
    pub(crate) chars: usize,
    pub(crate) content_differs_from_disk: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct LeftOut {
    pub(crate) path: String,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) detail: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Pending {
    pub(crate) path: String,
    pub(crate) from: String,
}

impl File {
    pub(crate) fn of(file: &MemoryFile) -> Self {
        Self {
            path: context_text::display_path(&file.path),
            kind: file.kind,
            parent: file.parent.as_deref().map(context_text::display_path),
            globs: file.globs.clone(),
            chars: file.text.chars().count(),
            content_differs_from_disk: file.content_differs_from_disk,
        }
    }
}

impl Memory {
    pub(crate) fn of(load: &MemoryLoad, nested: Option<&MemoryLoad>) -> Self {
        let loads = || std::iter::once(load).chain(nested);
        let mut left_out: Vec<LeftOut> = Vec::new();
        for decision in loads().flat_map(|load| &load.decisions) {
            if !left_out.iter().any(|known| known.path == decision.subject && known.reason == decision.reason)
            {
                left_out.push(LeftOut {
                    path: decision.subject.clone(),
                    verdict: decision.verdict,
                    reason: decision.reason.clone(),
                    detail: decision.detail.clone(),
                });
            }
        }
        let pending = loads().flat_map(|load| &load.pending).map(|pending| Pending {
            path: context_text::display_path(&pending.path),
            from: context_text::display_path(&pending.from),
        });
        Self {
            files: load.files.iter().map(File::of).collect(),
            nested: nested.map(|load| load.files.iter().map(File::of).collect()),
            left_out,
            pending: pending.collect(),
        }
    }
}

/// `ctx git --json`.
#[derive(Debug, Serialize)]
pub(crate) struct Git<'a> {
    #[serde(flatten)]
    pub(crate) snapshot: Option<&'a GitSnapshot>,
    pub(crate) text: String,
    pub(crate) decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) micros: Option<u128>,
}

/// One row of `ctx mentions --json`.
#[derive(Debug, Serialize)]
pub(crate) struct Mention {
    pub(crate) kind: &'static str,
    pub(crate) target: String,
    pub(crate) lines: Option<[u64; 2]>,
    pub(crate) span: [usize; 2],
}
