//! What the input names: files, directories, agents, resources.

mod look;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    AgentMention, Attachment, CollectError, Collector, Decision, Draft, FileReader, FileSystem, Ledger,
    LineSpan, Outbox, Stage, Threads, TurnView, Verdict, Work,
};
use context_text::safe_line;

use crate::mention::{Mention, MentionKind, parse_mentions};
use crate::reads::{Looked, Reads};
use crate::resources::{ResourceLimits, ResourceReader, already_shown};
use look::{Looker, Seen};

/// What mentions are looked up in.
#[derive(Clone)]
#[non_exhaustive]
pub struct MentionSources {
    /// Where names are looked up.
    pub files: Arc<dyn FileSystem>,
    /// What reads them.
    pub reader: Arc<dyn FileReader>,
    /// What `~` means.
    pub home: Option<PathBuf>,
    /// What reads resources of servers; `None`: they are named in decisions only.
    pub resources: Option<Arc<dyn ResourceReader>>,
}

impl MentionSources {
    /// Names in `files`, read by `reader`.
    pub fn new(files: Arc<dyn FileSystem>, reader: Arc<dyn FileReader>, home: Option<PathBuf>) -> Self {
        Self { files, reader, home, resources: None }
    }

    /// The same with what reads resources of servers.
    pub fn resources(mut self, reader: Option<Arc<dyn ResourceReader>>) -> Self {
        self.resources = reader;
        self
    }
}

/// Limits of mentions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MentionLimits {
    /// Mentions of one turn that are looked at. Default 100.
    pub mentions: usize,
    /// How close to its reading a file's time may lie before its content is compared too, nanoseconds. Default 2 s.
    pub racy_ns: i64,
}

impl Default for MentionLimits {
    fn default() -> Self {
        Self { mentions: 100, racy_ns: 2_000_000_000 }
    }
}

/// Attaches what the input names with an `@`. A resource that the conversation shows as it is now is not attached again.
pub struct Mentions {
    sources: MentionSources,
    limits: MentionLimits,
    resources: ResourceLimits,
    reads: Reads,
}

impl Mentions {
    /// A collector over `sources` that looks on `threads`.
    pub fn new(sources: MentionSources, threads: Arc<dyn Threads>, limits: MentionLimits) -> Self {
        Self { sources, limits, resources: ResourceLimits::default(), reads: Reads::new(threads) }
    }

    /// The same with other limits of resources.
    pub fn resource_limits(mut self, limits: ResourceLimits) -> Self {
        self.resources = limits;
        self
    }

    fn looker(&self, turn: &TurnView) -> Looker {
        Looker {
            sources: self.sources.clone(),
            cwd: turn.cwd.clone(),
            states: turn.files.clone(),
            now: turn.now,
            racy_ns: self.limits.racy_ns,
            host: Arc::clone(&turn.host),
            resources: self.resources.clone(),
        }
    }
}

#[async_trait]
impl Collector for Mentions {
    fn label(&self) -> &str {
        "mentions"
    }

    fn stage(&self) -> Stage {
        Stage::Input
    }

    // What blocks is done by `Reads` on threads of the engine; a turn that names nothing costs no thread at all.
    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let Some(input) = turn.input.as_ref().filter(|input| !input.is_meta) else { return Ok(()) };
        let mentions = self.chosen(parse_mentions(&input.text, &turn.host.catalog), out)?;
        let looker = Arc::new(self.looker(turn));
        let subjects: Vec<(PathBuf, Mention)> = mentions
            .iter()
            .filter(|mention| mention.kind != MentionKind::Agent)
            .map(|mention| (turn.cwd.join(&mention.target), mention.clone()))
            .collect();
        let look = move |mention: Mention| {
            let looker = Arc::clone(&looker);
            async move { looker.look(&mention).await }
        };
        let mut looked = self.reads.driven(turn, subjects, look).await.into_iter();
        let mut known = BTreeSet::new();
        for mention in &mentions {
            if mention.kind == MentionKind::Agent {
                out.push(Draft::new(AgentMention::default().agent(mention.target.clone())))?;
            } else if let Some(looked) = looked.next() {
                hand_in(mention, looked, &turn.ledger, &mut known, out)?;
            }
        }
        Ok(())
    }
}

impl Mentions {
    /// The mentions to look at: each name once, at most as many as the limit says.
    fn chosen(&self, mentions: Vec<Mention>, out: &Outbox) -> Result<Vec<Mention>, CollectError> {
        let mut names = BTreeSet::new();
        let mut chosen: Vec<Mention> = mentions;
        chosen.retain(|mention| names.insert((mention.target.clone(), mention.quoted)));
        for beyond in chosen.iter().skip(self.limits.mentions) {
            let detail = format!("Only the first {} mentions of a turn are looked at.", self.limits.mentions);
            out.decide(Decision::left_out(name_of(beyond), "too_many_mentions", detail))?;
        }
        chosen.truncate(self.limits.mentions);
        Ok(chosen)
    }
}

/// What makes two mentions the same: the file and the lines of it, or the resource.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    File(PathBuf, Option<(u64, Option<u64>)>),
    Resource(String, String),
}

fn hand_in(
    mention: &Mention,
    looked: Looked<Seen>,
    ledger: &Ledger,
    known: &mut BTreeSet<Target>,
    out: &Outbox,
) -> Result<(), CollectError> {
    match looked.into_result() {
        Err(why) => Ok(out.decide(not_looked_at(mention, &why))?),
        Ok(Seen::Nothing(decision)) => Ok(out.decide(decision)?),
        Ok(Seen::Target { path, lines, draft, decisions }) => match known.insert(target(&path, lines)) {
            true => push(*draft, decisions, out),
            false => Ok(()),
        },
        Ok(Seen::Resource { draft, decisions }) => {
            match resource(&draft).is_some_and(|it| known.insert(it)) {
                true => match already_shown(ledger, &draft) {
                    Some(decision) => Ok(out.decide(decision)?),
                    None => push(*draft, decisions, out),
                },
                false => Ok(()),
            }
        }
    }
}

fn push(draft: Draft, decisions: Vec<Decision>, out: &Outbox) -> Result<(), CollectError> {
    decisions.into_iter().try_for_each(|decision| out.decide(decision))?;
    Ok(out.push(draft)?)
}

fn not_looked_at(mention: &Mention, why: &Looked<()>) -> Decision {
    let verdict = if *why == Looked::TimedOut { Verdict::TimedOut } else { Verdict::Failed };
    let detail = match mention.kind {
        MentionKind::Resource => "The server did not answer; the resource is not attached.",
        _ => "The file system did not answer; the file is not attached.",
    };
    Decision::new(name_of(mention), verdict, why.reason(), detail)
}

fn resource(draft: &Draft) -> Option<Target> {
    match &draft.attachment {
        Attachment::McpResource(it) => Some(Target::Resource(it.server.clone(), it.uri.clone())),
        _ => None,
    }
}

fn target(path: &Path, lines: Option<LineSpan>) -> Target {
    Target::File(path.to_path_buf(), lines.map(|lines| (lines.start, lines.end)))
}

fn name_of(mention: &Mention) -> String {
    safe_line(&mention.target).into_owned()
}
