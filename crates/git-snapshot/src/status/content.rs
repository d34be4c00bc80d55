//! The content of a file against its blob, through the filters that git has built in.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use context_api::GitRun;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::filter::plumbing::{self, Driver};
use gix::glob::pattern::Case;
use gix::index::entry::Mode;
use gix::objs::Kind;
use gix::worktree::Stack;
use gix::worktree::stack::state::attributes::Source;
use jiff::Timestamp;

use super::attributes::Chain;
use super::{Job, listing};
use crate::config;
use crate::memory::{AttributesFile, Content, Known, Stamp};
use crate::repository::Repository;

/// What a look at the content says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Same,
    Differs,
    /// A clean filter stands between the file and the blob, and may not be run.
    FilterNotRun,
}

/// What the comparisons of one run share. Each part is made when the first comparison needs it.
pub(crate) struct ContentSource<'a> {
    repo: gix::ThreadSafeRepository,
    index: &'a gix::index::State,
    run: &'a GitRun,
    now: Timestamp,
    known: &'a Known,
    root: PathBuf,
    home: Option<PathBuf>,
    allow_user_filters: bool,
    settings: OnceLock<Settings>,
    attributes: OnceLock<Attributes>,
}

/// The settings that decide on the way of a file into the repository.
struct Settings {
    case: Case,
    /// The user's own attributes file, and that of the repository outside of the working tree.
    user: Option<PathBuf>,
    info: Option<PathBuf>,
    filters: plumbing::pipeline::Options,
    /// Filters with a command that may not be run.
    blocked: Vec<BString>,
    ground: Option<Ground>,
}

struct Attributes {
    state: gix::worktree::stack::State,
    mappings: Vec<(BString, gix::ObjectId)>,
}

/// What decides on the content of files, besides the index, the file and the attributes files above it.
#[derive(Debug, PartialEq)]
pub(crate) struct Ground {
    case: Case,
    auto_crlf: plumbing::eol::AutoCrlf,
    end_of_line: Option<plumbing::eol::Mode>,
    files: [Option<(PathBuf, Stamp)>; 2],
    blocked: Vec<BString>,
}

impl<'a> ContentSource<'a> {
    /// Prepares comparisons in `repository`, some of which may be `known`.
    pub(crate) fn new(
        repository: &Repository,
        index: &'a gix::index::State,
        known: &'a Known,
        job: Job<'a>,
    ) -> Self {
        Self {
            repo: repository.repo.clone().into_sync(),
            index,
            run: job.run,
            now: job.now,
            known,
            root: repository.root.clone(),
            home: repository.home.clone(),
            allow_user_filters: job.options.allow_user_filters,
            settings: OnceLock::new(),
            attributes: OnceLock::new(),
        }
    }

    /// A comparer for one thread.
    pub(crate) fn comparer(&'a self) -> Comparer<'a> {
        Comparer { source: self, chain: Chain::default(), tools: None }
    }

    /// On what answers rest besides the files, if anything was compared and the answers may be used again.
    pub(crate) fn into_ground(self) -> Option<Ground> {
        self.settings.into_inner()?.ground
    }

    fn settings(&self) -> &Settings {
        self.settings.get_or_init(|| Settings::of(&self.repo.to_thread_local(), self))
    }

    fn attributes(&self) -> &Attributes {
        self.attributes.get_or_init(|| {
            let settings = self.settings();
            let state = attribute_state(settings);
            let mappings = state.id_mappings_from_index(self.index, self.index.path_backing(), settings.case);
            Attributes { state, mappings }
        })
    }

    /// What was known of the entry `at`, if all that it rests on is as it was.
    fn recall(&self, at: usize, stamp: Stamp, attributes: &[AttributesFile]) -> Option<&'a Content> {
        let known = self.known.contents.get(&at)?;
        let same = known.stamp == stamp && *known.attributes == *attributes;
        let ground = self.settings().ground.as_ref();
        (same && ground.is_some() && ground == self.known.ground.as_ref()).then_some(known)
    }
}

impl Settings {
    fn of(repo: &gix::Repository, source: &ContentSource<'_>) -> Self {
        let case = if repo.filesystem_options().is_ok_and(|options| options.ignore_case) {
            Case::Fold
        } else {
            Case::Sensitive
        };
        let user = config::rules_file(repo, "core.attributesFile", "attributes", source.home.as_deref());
        let info = repo.common_dir().join("info/attributes");
        let (drivers, blocked) = drivers(repo, source.allow_user_filters);
        let mut filters = gix::filter::Pipeline::options(repo).unwrap_or_default();
        filters.drivers = drivers;
        filters.crlf_roundtrip_check = plumbing::pipeline::CrlfRoundTripCheck::Skip;
        filters.encodings_with_roundtrip_check.clear();
        let mut settings = Self {
            case,
            user: user.filter(|path| path.is_file()),
            info: Some(info).filter(|path| path.is_file()),
            filters,
            blocked,
            ground: None,
        };
        settings.ground = Ground::of(&settings, source.now);
        settings
    }
}

impl Ground {
    /// None where the answers of today say nothing about tomorrow: a program stands between, or a file is too young.
    fn of(settings: &Settings, now: Timestamp) -> Option<Self> {
        let stamped = |path: &Option<PathBuf>| match path {
            None => Some(None),
            Some(path) => {
                let stamp = rustix::fs::stat(path).ok().map(|stat| Stamp::of(&stat))?;
                stamp.is_written_back(now).then(|| Some((path.clone(), stamp)))
            }
        };
        settings.filters.drivers.is_empty().then_some(())?;
        Some(Self {
            case: settings.case,
            auto_crlf: settings.filters.eol_config.auto_crlf,
            end_of_line: settings.filters.eol_config.eol,
            files: [stamped(&settings.user)?, stamped(&settings.info)?],
            blocked: settings.blocked.clone(),
        })
    }
}

fn attribute_state(settings: &Settings) -> gix::worktree::stack::State {
    let mut collection = gix::attrs::search::MetadataCollection::default();
    let user = settings.user.clone();
    let globals = gix::attrs::Search::new_globals(user, &mut Vec::new(), &mut collection).unwrap_or_default();
    let source = Source::WorktreeThenIdMapping;
    gix::worktree::stack::State::AttributesStack(gix::worktree::stack::state::Attributes::new(
        globals,
        settings.info.clone(),
        source,
        collection,
    ))
}

/// The filters that may run, and the names of those that may not.
///
/// A filter is the user's own when each of its commands comes from the user's or the system's configuration.
fn drivers(repo: &gix::Repository, allow_user_filters: bool) -> (Vec<Driver>, Vec<BString>) {
    let config = repo.config_snapshot();
    let mut drivers: Vec<Driver> = Vec::new();
    let mut blocked = Vec::new();
    for section in config.plumbing().sections_by_name("filter").into_iter().flatten() {
        let Some(name) = section.header().subsection_name() else { continue };
        let (clean, process) = (section.value("clean"), section.value("process"));
        if clean.is_none() && process.is_none() {
            continue;
        }
        use gix::config::Source;
        let own = matches!(section.meta().source, Source::System | Source::Git | Source::User | Source::Env);
        if !(own && allow_user_filters) {
            blocked.push(name.to_owned());
            continue;
        }
        let at = drivers.iter().position(|driver| driver.name == name).unwrap_or_else(|| {
            drivers.push(Driver {
                name: name.to_owned(),
                clean: None,
                smudge: None,
                process: None,
                required: false,
            });
            drivers.len() - 1
        });
        drivers[at].clean = clean.or(drivers[at].clean.take());
        drivers[at].process = process.or(drivers[at].process.take());
    }
    drivers.retain(|driver| !blocked.contains(&driver.name));
    (drivers, blocked)
}

/// Compares contents on one thread.
pub(crate) struct Comparer<'a> {
    source: &'a ContentSource<'a>,
    chain: Chain,
    tools: Option<Tools>,
}

/// A file on its way into the repository.
struct Converted<'c, 'a> {
    outcome: Option<ToGitOutcome<'c, Watched<'a>>>,
    /// A filter that may not run was in the way.
    blocked: bool,
    /// Something could not be read on the way: it may be otherwise next time.
    failed: bool,
}

/// What a file would be stored as.
struct Hashed {
    id: Option<gix::ObjectId>,
    blocked: bool,
    failed: bool,
}

struct Tools {
    repo: gix::Repository,
    stack: Stack,
    pipeline: plumbing::Pipeline,
}

impl Tools {
    fn new(source: &ContentSource<'_>) -> Self {
        let repo = source.repo.to_thread_local();
        let (settings, attributes) = (source.settings(), source.attributes());
        let (state, mappings) = (attributes.state.clone(), attributes.mappings.clone());
        let stack = Stack::new(&source.root, state, settings.case, Vec::new(), mappings);
        let pipeline = plumbing::Pipeline::new(
            gix::command::Context::default(),
            repo.object_hash(),
            settings.filters.clone(),
        );
        Self { repo, stack, pipeline }
    }
}

impl<'a> Comparer<'a> {
    /// Whether what lies at `path` below `root`, and is like `stamp`, would be stored as the blob of the entry `at`; and
    /// what is to be kept of the answer. What can not be read differs.
    pub(crate) fn compare(
        &mut self,
        root: BorrowedFd<'_>,
        path: &BStr,
        at: usize,
        stamp: Stamp,
    ) -> (Answer, Option<Content>) {
        let entry = self.source.index.entry(at);
        if entry.mode == Mode::SYMLINK {
            return (self.link(root, path, entry), None);
        }
        let attributes = Arc::clone(self.chain.at(root, path, self.source.now));
        if let Some(known) = self.source.recall(at, stamp, &attributes) {
            return (known.answer, Some(known.clone()));
        }
        let Ok(file) = listing::open_file(root, path) else { return (Answer::Differs, None) };
        let hashed = self.hash(root, file, path);
        let answer = match hashed.id {
            _ if hashed.blocked => Answer::FilterNotRun,
            Some(id) if id == entry.id => Answer::Same,
            _ => Answer::Differs,
        };
        let lasts = !hashed.failed
            && stamp.is_written_back(self.source.now)
            && attributes.iter().all(AttributesFile::lasts);
        (answer, lasts.then_some(Content { stamp, attributes, answer }))
    }

    fn tools(&mut self) -> &mut Tools {
        self.tools.get_or_insert_with(|| Tools::new(self.source))
    }

    fn repo(&mut self) -> &gix::Repository {
        &self.tools().repo
    }

    /// The content of the regular file `path` as it would be stored, where it can be read.
    pub(crate) fn stored(&mut self, root: impl AsFd, path: &BStr) -> Option<Vec<u8>> {
        use std::io::Read;
        let file = listing::open_file(root.as_fd(), path).ok()?;
        let mut bytes = Vec::new();
        match self.convert(root.as_fd(), file, path).outcome? {
            ToGitOutcome::Unchanged(mut file) => file.read_to_end(&mut bytes).ok()?,
            ToGitOutcome::Buffer(buffer) => return Some(buffer.to_vec()),
            ToGitOutcome::Process(mut output) => output.read_to_end(&mut bytes).ok()?,
        };
        Some(bytes)
    }

    /// The blob `id`.
    pub(crate) fn blob(&mut self, id: gix::ObjectId) -> Option<Vec<u8>> {
        self.repo().find_blob(id).ok().map(|mut blob| blob.take_data())
    }

    /// The id under which what lies at `path` would be stored; the null id where it can not be read.
    pub(crate) fn stored_id(&mut self, root: impl AsFd, path: &BStr, mode: Mode) -> gix::ObjectId {
        let bytes = if mode == Mode::SYMLINK {
            rustix::fs::readlinkat(root, path.as_bytes(), Vec::new()).ok().map(|target| target.into_bytes())
        } else {
            self.stored(root, path)
        };
        let kind = self.repo().object_hash();
        bytes
            .and_then(|bytes| gix::objs::compute_hash(kind, Kind::Blob, &bytes).ok())
            .unwrap_or_else(|| kind.null())
    }

    fn link(&mut self, root: impl AsFd, path: &BStr, entry: &gix::index::Entry) -> Answer {
        let kind = self.repo().object_hash();
        let same = match rustix::fs::readlinkat(&root, path.as_bytes(), Vec::new()) {
            Ok(target) => gix::objs::compute_hash(kind, Kind::Blob, target.as_bytes()),
            // Without links in the file system, a file holds the target.
            Err(_) => {
                match listing::open_file(root.as_fd(), path).ok().and_then(|file| self.watched(file).all()) {
                    Some(bytes) => gix::objs::compute_hash(kind, Kind::Blob, &bytes),
                    None => return Answer::Differs,
                }
            }
        };
        if same.is_ok_and(|id| id == entry.id) { Answer::Same } else { Answer::Differs }
    }

    /// The id that `file` would be stored under.
    fn hash(&mut self, root: BorrowedFd<'_>, file: File, path: &BStr) -> Hashed {
        let kind = self.repo().object_hash();
        let Converted { outcome, blocked, failed } = self.convert(root, file, path);
        let id = match outcome {
            _ if blocked => None,
            Some(ToGitOutcome::Buffer(bytes)) => gix::objs::compute_hash(kind, Kind::Blob, bytes).ok(),
            Some(ToGitOutcome::Unchanged(file)) => file.hash(kind),
            Some(ToGitOutcome::Process(mut output)) => {
                let mut bytes = Vec::new();
                let read = std::io::Read::read_to_end(&mut output, &mut bytes);
                read.ok().and_then(|_| gix::objs::compute_hash(kind, Kind::Blob, &bytes).ok())
            }
            None => None,
        };
        Hashed { failed: failed || (id.is_none() && !blocked), id, blocked }
    }

    fn watched(&self, file: File) -> Watched<'a> {
        Watched { file, run: self.source.run }
    }

    /// `file` on its way into the repository. One that the built-in filters refuse goes in as it is, and so does one whose
    /// attributes can not be read.
    fn convert(&mut self, root: BorrowedFd<'_>, file: File, path: &BStr) -> Converted<'_, 'a> {
        let file = self.watched(file);
        let as_it_is = |file| Some(ToGitOutcome::Unchanged(file));
        if self.chain.at(root, path, self.source.now).contains(&AttributesFile::Unreadable) {
            return Converted { outcome: as_it_is(file), blocked: false, failed: true };
        }
        let source = self.source;
        let Tools { repo, stack, pipeline } = self.tools();
        let Ok(platform) = stack.at_entry(path, Some(Mode::FILE), &repo.objects) else {
            return Converted { outcome: as_it_is(file), blocked: false, failed: true };
        };
        let mut blocked = false;
        let outcome = pipeline.convert_to_git(
            file,
            listing::as_path(path),
            &mut |_, attributes| {
                platform.matching_attributes(attributes);
                blocked = names_blocked(attributes, &source.settings().blocked);
            },
            &mut |buffer| index_blob(source.index, repo, path, buffer),
        );
        match outcome {
            Ok(outcome) => Converted { outcome: Some(outcome), blocked, failed: false },
            Err(_) => {
                let again = listing::open_file(root, path).ok();
                let outcome = again.and_then(|file| as_it_is(Watched { file, run: source.run }));
                Converted { outcome, blocked, failed: true }
            }
        }
    }
}

fn names_blocked(attributes: &gix::attrs::search::Outcome, blocked: &[BString]) -> bool {
    !blocked.is_empty()
        && attributes.iter_selected().any(|found| {
            found.assignment.name.as_str() == "filter"
                && found
                    .assignment
                    .state
                    .as_bstr()
                    .is_some_and(|name| blocked.iter().any(|blocked| blocked == name))
        })
}

fn index_blob(
    index: &gix::index::State,
    repo: &gix::Repository,
    path: &BStr,
    buffer: &mut Vec<u8>,
) -> Result<Option<()>, gix::Error> {
    use gix::objs::Find;
    let Some(entry) = index.entry_by_path(path) else { return Ok(None) };
    let object = repo.objects.try_find(&entry.id, buffer)?;
    Ok(object.filter(|object| object.kind == Kind::Blob).map(|_| ()))
}

/// A file that can no longer be read once the run is over, so that a huge one does not outlast it.
struct Watched<'a> {
    file: File,
    run: &'a GitRun,
}

impl std::io::Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.run.is_over() {
            return Err(std::io::Error::other("the run is over"));
        }
        self.file.read(buffer)
    }
}

impl Watched<'_> {
    fn all(mut self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut self, &mut bytes).ok()?;
        Some(bytes)
    }

    fn hash(mut self, kind: gix::hash::Kind) -> Option<gix::ObjectId> {
        let (size, flag) = (self.file.metadata().ok()?.len(), Arc::clone(self.run.interrupt_flag()));
        gix::objs::compute_stream_hash(kind, Kind::Blob, &mut self, size, &mut gix::progress::Discard, &flag)
            .ok()
    }
}
