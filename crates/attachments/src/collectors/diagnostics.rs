//! Problems that editor and language servers report.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use context_api::{
    Attachment, CollectError, Collector, Decision, DeliveryKey, Diagnostic, DiagnosticsAttachment, Draft,
    FileDiagnostics, FileSystem, LspDiagnostics, Outbox, ReadPolicy, Source, Stage, Threads, TurnView,
    Verdict, Work, path_key, path_of_key,
};
use context_text::{content_hash, cut_chars};

use super::ide::{Guard, IdeLimits};

/// Characters of a problem's digest that the ledger keeps: 64 bits tell the problems of one file apart.
const DIGEST: usize = 16;

/// Tells problems that are new in a file since its problems were last told.
///
/// The ledger keeps, for each file, digests of all its problems that the model knows and that are there; what was cut off by
/// the limit is not among them and comes with the next request, what went away and comes back is new.
pub struct DiagnosticsCollector {
    kind: Kind,
    guard: Guard,
    limits: IdeLimits,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Editor,
    Server,
}

impl DiagnosticsCollector {
    /// Problems that the editor shows of files that `policy` allows; the disk is looked at on `threads`.
    pub fn of_editor(
        files: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        threads: Arc<dyn Threads>,
        limits: IdeLimits,
    ) -> Self {
        Self { kind: Kind::Editor, guard: Guard::new(files, policy, threads), limits }
    }

    /// Problems that language servers pushed and the editor does not show.
    pub fn of_servers(
        files: Arc<dyn FileSystem>,
        policy: Arc<dyn ReadPolicy>,
        threads: Arc<dyn Threads>,
        limits: IdeLimits,
    ) -> Self {
        Self { kind: Kind::Server, guard: Guard::new(files, policy, threads), limits }
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

    /// The problems by file, each once, in the order of the files: several servers may report on one.
    fn by_file<'a>(&self, turn: &'a TurnView) -> ByFile<'a> {
        let shown_by_editor = match self.kind {
            Kind::Editor => ByFile::default(),
            Kind::Server => ByFile::of(turn, &turn.host.ide.diagnostics, &ByFile::default()),
        };
        ByFile::of(turn, self.source(turn), &shown_by_editor)
    }

    /// What is new in `file`, at most `room` of it, and what the model knows of it then.
    fn news(&self, turn: &TurnView, file: &Problems<'_>, room: usize) -> News {
        let known = self.known(turn, &file.path);
        let is_new = |digest: &String| !known.contains(digest);
        let new = file.items.iter().filter(|(digest, _)| is_new(digest));
        let told: Vec<_> = new.clone().take(room).collect();
        let still = file.items.iter().map(|(digest, _)| digest).filter(|digest| !is_new(digest));
        let digests: Vec<&str> =
            still.chain(told.iter().map(|(digest, _)| digest)).map(|one| &**one).collect();
        let shown = told.iter().map(|(_, item)| self.shown(item));
        News {
            left_out: new.count() - told.len(),
            key: self.key(&file.path, &digests),
            file: FileDiagnostics::default().path(file.path.clone()).items(shown.collect::<Vec<_>>()),
        }
    }

    fn key(&self, path: &Path, digests: &[&str]) -> DeliveryKey {
        DeliveryKey::new(self.label(), path_key(path), digests.join(","))
    }

    fn known(&self, turn: &TurnView, path: &Path) -> BTreeSet<String> {
        let told = turn.ledger.in_view(self.label(), &path_key(path));
        told.map(|told| digests(&told.hash)).unwrap_or_default()
    }

    /// Notes what the model was told and is gone, so that it is new where it comes back.
    fn forget_gone(&self, turn: &TurnView, files: &ByFile<'_>, out: &Outbox) -> Result<(), CollectError> {
        let Source::Ready(_) = self.source(turn) else { return Ok(()) };
        for (key, told) in turn.ledger.kind_in_view(self.label()) {
            let known = digests(&told.hash);
            let path = path_of_key(key);
            let items = files.get(&path).map(|file| &file.items[..]).unwrap_or_default();
            let digests = items.iter().map(|(digest, _)| &**digest);
            let still: Vec<&str> = digests.filter(|digest| known.contains(*digest)).collect();
            if still.len() < known.len() {
                out.remember(self.key(&path, &still))?;
            }
        }
        Ok(())
    }

    fn shown(&self, item: &Diagnostic) -> Diagnostic {
        let message = cut_chars(&item.message, self.limits.message_chars);
        let cut = if message.len() < item.message.len() { "…" } else { "" };
        item.clone().message(format!("{message}{cut}"))
    }
}

/// The problems of one file with their digests.
struct Problems<'a> {
    /// Absolute.
    path: PathBuf,
    items: Vec<(String, &'a Diagnostic)>,
    digests: HashSet<String>,
}

/// The problems of a source by file.
#[derive(Default)]
struct ByFile<'a> {
    files: Vec<Problems<'a>>,
    places: HashMap<PathBuf, usize>,
}

impl<'a> ByFile<'a> {
    /// Those of `source` that are not in `others`.
    fn of(turn: &TurnView, source: &'a Source<FileDiagnostics>, others: &ByFile<'_>) -> Self {
        let mut all = Self::default();
        for file in source.items() {
            let path = turn.cwd.join(&file.path);
            let known = others.get(&path).map(|file| &file.digests);
            for item in &file.items {
                let digest = digest(item);
                if known.is_some_and(|known| known.contains(&digest)) {
                    continue;
                }
                let problems = all.of_file(&path);
                if problems.digests.insert(digest.clone()) {
                    problems.items.push((digest, item));
                }
            }
        }
        all
    }

    fn get(&self, path: &Path) -> Option<&Problems<'a>> {
        self.places.get(path).and_then(|place| self.files.get(*place))
    }

    fn of_file(&mut self, path: &Path) -> &mut Problems<'a> {
        let place = *self.places.entry(path.to_path_buf()).or_insert(self.files.len());
        if place == self.files.len() {
            self.files.push(Problems {
                path: path.to_path_buf(),
                items: Vec::new(),
                digests: HashSet::new(),
            });
        }
        &mut self.files[place]
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
        let all = self.by_file(turn);
        self.forget_gone(turn, &all, out)?;
        let mut new = all.files;
        new.retain(|file| !self.news(turn, file, 1).file.items.is_empty());
        // A message may quote the file.
        let refusals = self.guard.refusals(turn, new.iter().map(|file| file.path.clone()).collect()).await;
        let (mut files, mut keys, mut left_out) = (Vec::new(), Vec::new(), 0);
        let mut room = self.limits.problems;
        for (file, refusal) in new.iter().zip(refusals) {
            if let Some(refusal) = refusal {
                out.decide(refusal)?;
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

fn digests(hash: &str) -> BTreeSet<String> {
    hash.split(',').filter(|digest| !digest.is_empty()).map(str::to_owned).collect()
}

fn digest(item: &Diagnostic) -> String {
    let Diagnostic { severity, line, column, code, source, message, .. } = item;
    let text = format!("{severity:?}\0{line}\0{column}\0{code:?}\0{source:?}\0{message}");
    content_hash(text.as_bytes()).chars().take(DIGEST).collect()
}
