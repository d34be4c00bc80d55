//! The content of a file against its blob, through the filters that git has built in.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;
use std::sync::Arc;

use context_api::GitRun;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::filter::plumbing::{self, Driver};
use gix::glob::pattern::Case;
use gix::index::entry::Mode;
use gix::objs::Kind;
use gix::worktree::Stack;
use gix::worktree::stack::state::attributes::Source;
use rustix::fs::{AtFlags, FileType};

use super::listing;
use crate::config;
use crate::repository::Repository;

/// What a look at the content says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Same,
    Differs,
    /// A clean filter stands between the file and the blob, and may not be run.
    FilterNotRun,
}

/// What the comparisons of one run share.
pub(crate) struct ContentSource<'a> {
    repo: gix::ThreadSafeRepository,
    index: &'a gix::index::State,
    run: &'a GitRun,
    root: PathBuf,
    attributes: gix::worktree::stack::State,
    mappings: Vec<(BString, gix::ObjectId)>,
    case: Case,
    filters: plumbing::pipeline::Options,
    /// Filters with a command that may not be run.
    blocked: Vec<BString>,
}

impl<'a> ContentSource<'a> {
    /// Prepares comparisons in `repository`.
    pub(crate) fn new(
        repository: &Repository,
        index: &'a gix::index::State,
        allow_user_filters: bool,
        run: &'a GitRun,
    ) -> Self {
        let (repo, root) = (&repository.repo, repository.root.clone());
        let home = repository.home.as_deref();
        let attributes = config::rules_file(repo, "core.attributesFile", "attributes", home);
        let case = if repo.filesystem_options().is_ok_and(|options| options.ignore_case) {
            Case::Fold
        } else {
            Case::Sensitive
        };
        let attributes = attribute_state(repo, attributes);
        let mappings = attributes.id_mappings_from_index(index, index.path_backing(), case);
        let (drivers, blocked) = drivers(repo, allow_user_filters);
        let mut filters = gix::filter::Pipeline::options(repo).unwrap_or_default();
        filters.drivers = drivers;
        filters.crlf_roundtrip_check = plumbing::pipeline::CrlfRoundTripCheck::Skip;
        filters.encodings_with_roundtrip_check.clear();
        Self {
            repo: repo.clone().into_sync(),
            index,
            run,
            root,
            attributes,
            mappings,
            case,
            filters,
            blocked,
        }
    }

    /// A comparer for one thread.
    pub(crate) fn comparer(&self) -> Comparer<'_> {
        let repo = self.repo.to_thread_local();
        let stack =
            Stack::new(&self.root, self.attributes.clone(), self.case, Vec::new(), self.mappings.clone());
        let pipeline = plumbing::Pipeline::new(
            gix::command::Context::default(),
            repo.object_hash(),
            self.filters.clone(),
        );
        Comparer { source: self, repo, stack, pipeline }
    }
}

fn attribute_state(repo: &gix::Repository, user: Option<PathBuf>) -> gix::worktree::stack::State {
    let mut collection = gix::attrs::search::MetadataCollection::default();
    let user: Vec<PathBuf> = user.into_iter().filter(|path| path.is_file()).collect();
    let globals = gix::attrs::Search::new_globals(user, &mut Vec::new(), &mut collection).unwrap_or_default();
    let info = Some(repo.common_dir().join("info/attributes")).filter(|path| path.is_file());
    let source = Source::WorktreeThenIdMapping;
    gix::worktree::stack::State::AttributesStack(gix::worktree::stack::state::Attributes::new(
        globals, info, source, collection,
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
    repo: gix::Repository,
    stack: Stack,
    pipeline: plumbing::Pipeline,
}

impl<'a> Comparer<'a> {
    /// Whether what lies at `path` below `root` would be stored as the blob of `entry`. What can not be read differs.
    pub(crate) fn compare(&mut self, root: impl AsFd, path: &BStr, entry: &gix::index::Entry) -> Answer {
        if entry.mode == Mode::SYMLINK {
            return self.link(root, path, entry);
        }
        let Ok(file) = listing::open_file(root.as_fd(), path) else { return Answer::Differs };
        match self.hash(root.as_fd(), file, path) {
            (_, true) => Answer::FilterNotRun,
            (Some(id), false) if id == entry.id => Answer::Same,
            _ => Answer::Differs,
        }
    }

    /// The content of the regular file `path` as it would be stored, where it can be read.
    pub(crate) fn stored(&mut self, root: impl AsFd, path: &BStr) -> Option<Vec<u8>> {
        use std::io::Read;
        let file = listing::open_file(root.as_fd(), path).ok()?;
        let mut bytes = Vec::new();
        match self.convert(root.as_fd(), file, path).0? {
            ToGitOutcome::Unchanged(mut file) => file.read_to_end(&mut bytes).ok()?,
            ToGitOutcome::Buffer(buffer) => return Some(buffer.to_vec()),
            ToGitOutcome::Process(mut output) => output.read_to_end(&mut bytes).ok()?,
        };
        Some(bytes)
    }

    /// The blob `id`.
    pub(crate) fn blob(&self, id: gix::ObjectId) -> Option<Vec<u8>> {
        self.repo.find_blob(id).ok().map(|mut blob| blob.take_data())
    }

    /// The id under which what lies at `path` would be stored; the null id where it can not be read.
    pub(crate) fn stored_id(&mut self, root: impl AsFd, path: &BStr, mode: Mode) -> gix::ObjectId {
        let bytes = if mode == Mode::SYMLINK {
            rustix::fs::readlinkat(root, path.as_bytes(), Vec::new()).ok().map(|target| target.into_bytes())
        } else {
            self.stored(root, path)
        };
        let kind = self.repo.object_hash();
        bytes
            .and_then(|bytes| gix::objs::compute_hash(kind, Kind::Blob, &bytes).ok())
            .unwrap_or_else(|| kind.null())
    }

    fn link(&self, root: impl AsFd, path: &BStr, entry: &gix::index::Entry) -> Answer {
        let same = match rustix::fs::readlinkat(&root, path.as_bytes(), Vec::new()) {
            Ok(target) => gix::objs::compute_hash(self.repo.object_hash(), Kind::Blob, target.as_bytes()),
            // Without links in the file system, a file holds the target.
            Err(_) => {
                match listing::open_file(root.as_fd(), path).ok().and_then(|file| self.watched(file).all()) {
                    Some(bytes) => gix::objs::compute_hash(self.repo.object_hash(), Kind::Blob, &bytes),
                    None => return Answer::Differs,
                }
            }
        };
        if same.is_ok_and(|id| id == entry.id) { Answer::Same } else { Answer::Differs }
    }

    /// The id that `file` would be stored under, and whether a filter was in the way.
    fn hash(&mut self, root: BorrowedFd<'_>, file: File, path: &BStr) -> (Option<gix::ObjectId>, bool) {
        let kind = self.repo.object_hash();
        let (outcome, blocked) = self.convert(root, file, path);
        if blocked {
            return (None, true);
        }
        let id = match outcome {
            Some(ToGitOutcome::Buffer(bytes)) => gix::objs::compute_hash(kind, Kind::Blob, bytes).ok(),
            Some(ToGitOutcome::Unchanged(file)) => file.hash(kind),
            Some(ToGitOutcome::Process(mut output)) => {
                let mut bytes = Vec::new();
                let read = std::io::Read::read_to_end(&mut output, &mut bytes);
                read.ok().and_then(|_| gix::objs::compute_hash(kind, Kind::Blob, &bytes).ok())
            }
            None => None,
        };
        (id, false)
    }

    fn watched(&self, file: File) -> Watched<'a> {
        Watched { file, run: self.source.run }
    }

    /// Whether the attributes of `path` can be read: a pipe at the place of an attributes file would hold the reader.
    fn has_readable_attributes(root: BorrowedFd<'_>, path: &BStr) -> bool {
        let mut ends = std::iter::once(0).chain(path.find_iter("/").map(|at| at + 1));
        ends.all(|end| {
            let file = [path[..end].as_bytes(), b".gitattributes".as_slice()].concat();
            let stat = rustix::fs::statat(root, file.as_slice(), AtFlags::SYMLINK_NOFOLLOW);
            stat.map_or(true, |stat| {
                let kind = FileType::from_raw_mode(stat.st_mode);
                matches!(kind, FileType::RegularFile | FileType::Directory | FileType::Symlink)
            })
        })
    }

    /// `file` on its way into the repository, and whether a filter that may not run was in the way. A file that the
    /// built-in filters refuse goes in as it is.
    fn convert(
        &mut self,
        root: BorrowedFd<'_>,
        file: File,
        path: &BStr,
    ) -> (Option<ToGitOutcome<'_, Watched<'a>>>, bool) {
        let spare = file.try_clone().map(|file| self.watched(file));
        let file = self.watched(file);
        if !Self::has_readable_attributes(root, path) {
            return (Some(ToGitOutcome::Unchanged(file)), false);
        }
        let Self { source, repo, stack, pipeline } = self;
        let Ok(platform) = stack.at_entry(path, Some(Mode::FILE), &repo.objects) else {
            return (Some(ToGitOutcome::Unchanged(file)), false);
        };
        let mut blocked = false;
        let outcome = pipeline.convert_to_git(
            file,
            listing::as_path(path),
            &mut |_, attributes| {
                platform.matching_attributes(attributes);
                blocked = names_blocked(attributes, &source.blocked);
            },
            &mut |buffer| index_blob(source.index, repo, path, buffer),
        );
        match (outcome, spare) {
            (Ok(outcome), _) => (Some(outcome), blocked),
            (Err(_), Ok(mut spare)) => {
                let rewound = std::io::Seek::rewind(&mut spare.file).is_ok();
                (rewound.then_some(ToGitOutcome::Unchanged(spare)), blocked)
            }
            (Err(_), Err(_)) => (None, blocked),
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
