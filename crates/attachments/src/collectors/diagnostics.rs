//! Problems that editor and language servers report.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    Attachment, CollectError, Collector, Decision, DeliveryKey, Diagnostic, DiagnosticsAttachment, Draft,
    FileDiagnostics, LspDiagnostics, Outbox, ReadPolicy, Source, Stage, TurnView, Verdict, Work,
};
use context_text::{content_hash, cut_chars};

use super::ide::{IdeLimits, denied, rule_against_name};
use crate::paths::shown;

/// Characters of a problem's digest that the ledger keeps: 64 bits tell the problems of one file apart.
const DIGEST: usize = 16;

/// Tells problems that are new in a file since its problems were last told.
///
/// The ledger keeps, for each file, digests of all its problems that the model knows; what was cut off by the limit is not
/// among them and comes with the next request.
pub struct DiagnosticsCollector {
    kind: Kind,
    policy: Arc<dyn ReadPolicy>,
    limits: IdeLimits,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Editor,
    Server,
}

impl DiagnosticsCollector {
    /// Problems that the editor shows of files that `policy` allows.
    pub fn of_editor(policy: Arc<dyn ReadPolicy>, limits: IdeLimits) -> Self {
        Self { kind: Kind::Editor, policy, limits }
    }

    /// Problems that language servers pushed and the editor does not show.
    pub fn of_servers(policy: Arc<dyn ReadPolicy>, limits: IdeLimits) -> Self {
        Self { kind: Kind::Server, policy, limits }
    }

    fn source<'a>(&self, turn: &'a TurnView) -> &'a Source<FileDiagnostics> {
        match self.kind {
            Kind::Editor => &turn.host.ide.diagnostics,
            Kind::Server => &turn.host.ide.lsp_diagnostics,
        }
    }

    fn attachment(&self, news: DiagnosticsAttachment) -> Attachment {
        match self.kind {
            Kind::Editor => news.into(),
            Kind::Server => LspDiagnostics(news).into(),
        }
    }

    /// Problems of a file that are to be told, each once.
    fn items<'a>(&self, turn: &'a TurnView, file: &'a FileDiagnostics) -> Vec<(String, &'a Diagnostic)> {
        let told_by_editor = |item: &Diagnostic| {
            let same = turn.host.ide.diagnostics.items().iter().filter(|other| other.path == file.path);
            self.kind == Kind::Server && same.flat_map(|other| &other.items).any(|other| other == item)
        };
        let mut seen = BTreeSet::new();
        let items = file.items.iter().filter(|item| !told_by_editor(item));
        items.map(|item| (digest(item), item)).filter(|(digest, _)| seen.insert(digest.clone())).collect()
    }

    /// What is new in `file`, at most `room` of it, and what the model knows of it then.
    fn news(&self, turn: &TurnView, file: &FileDiagnostics, room: usize) -> News {
        let known = self.known(turn, file);
        let items = self.items(turn, file);
        let is_new = |digest: &String| !known.contains(digest);
        let new = items.iter().filter(|(digest, _)| is_new(digest));
        let told: Vec<_> = new.clone().take(room).collect();
        let still = items.iter().map(|(digest, _)| digest).filter(|digest| !is_new(digest));
        let digests: Vec<&str> =
            still.chain(told.iter().map(|(digest, _)| digest)).map(|one| &**one).collect();
        let shown = told.iter().map(|(_, item)| self.shown(item));
        News {
            left_out: new.count() - told.len(),
            key: DeliveryKey::new(self.label(), file.path.to_string_lossy(), digests.join(",")),
            file: FileDiagnostics::default().path(turn.cwd.join(&file.path)).items(shown.collect::<Vec<_>>()),
        }
    }

    fn known(&self, turn: &TurnView, file: &FileDiagnostics) -> BTreeSet<String> {
        let told = turn.ledger.in_view(self.label(), &file.path.to_string_lossy());
        told.map(|told| told.hash.split(',').map(str::to_owned).collect()).unwrap_or_default()
    }

    fn shown(&self, item: &Diagnostic) -> Diagnostic {
        let message = cut_chars(&item.message, self.limits.message_chars);
        let cut = if message.len() < item.message.len() { "…" } else { "" };
        item.clone().message(format!("{message}{cut}"))
    }
}

/// What is new in one file.
struct News {
    file: FileDiagnostics,
    left_out: usize,
    key: DeliveryKey,
}

#[async_trait]
impl Collector for DiagnosticsCollector {
    fn label(&self) -> &str {
        match self.kind {
            Kind::Editor => "diagnostics",
            Kind::Server => "lsp_diagnostics",
        }
    }

    fn stage(&self) -> Stage {
        Stage::MainThread
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let (mut files, mut keys, mut left_out) = (Vec::new(), Vec::new(), 0);
        let mut room = self.limits.problems;
        for file in self.source(turn).items() {
            // A message may quote the file.
            let path = turn.cwd.join(&file.path);
            if let Some(rule) = rule_against_name(&*self.policy, &path) {
                out.decide(denied(shown(&turn.cwd, &path), &rule))?;
                continue;
            }
            let news = self.news(turn, file, room);
            room -= news.file.items.len();
            left_out += news.left_out;
            if !news.file.items.is_empty() {
                files.push(news.file);
                keys.push(news.key);
            }
        }
        if files.is_empty() {
            return Ok(());
        }
        if left_out > 0 {
            let detail = format!("{left_out} more problems are told with the next request.");
            out.decide(Decision::new(self.label(), Verdict::Deferred, "too_many_problems", detail))?;
        }
        let news = DiagnosticsAttachment::default().files(files).left_out(left_out as u64);
        let draft = Draft::new(self.attachment(news));
        Ok(out.push(keys.into_iter().fold(draft, Draft::key))?)
    }
}

fn digest(item: &Diagnostic) -> String {
    let Diagnostic { severity, line, column, code, source, message, .. } = item;
    let text = format!("{severity:?}\0{line}\0{column}\0{code:?}\0{source:?}\0{message}");
    content_hash(text.as_bytes()).chars().take(DIGEST).collect()
}
