//! Reading a conversation back.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use context_api::{Boundary, Entry, EntryKind, Loaded, Reach, StoreError, StoreErrorKind};
use uuid::Uuid;

use crate::chain::{chain, newest_leaf};
use crate::file_blobs::failed;
use crate::index::{Index, Node, Sort};
use crate::limits::StoreLimits;
use crate::line::{self, ForkPoint, Mended};
use crate::memory::unknown_entry;
use crate::problems::Problems;
use crate::{name, private};

/// The file of a session below `root`.
pub(crate) fn file(root: &Path, session: &str) -> Result<PathBuf, StoreError> {
    Ok(root.join(format!("{}.jsonl", name::session(session)?)))
}

/// A part of a conversation that lies in one file.
struct Part {
    session: String,
    path: PathBuf,
    nodes: Vec<Node>,
}

/// What one reading needs to know.
pub(crate) struct Reading<'a> {
    root: &'a Path,
    limits: &'a StoreLimits,
    decisions: Vec<context_api::Decision>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(root: &'a Path, limits: &'a StoreLimits) -> Self {
        Self { root, limits, decisions: Vec::new() }
    }

    /// The conversation of a session that ends with `at`, or with its newest entry.
    pub(crate) fn load(
        mut self,
        session: &str,
        at: Option<Uuid>,
        reach: Reach,
    ) -> Result<Loaded, StoreError> {
        let parts = self.parts(session, at)?;
        let last = match reach {
            Reach::SinceBoundary => self.last_boundary(&parts)?,
            _ => None,
        };
        let mut loaded = Loaded::default();
        for (number, part) in parts.iter().enumerate() {
            self.read(part, number, last.as_ref(), &mut loaded)?;
        }
        loaded.decisions = self.decisions;
        Ok(loaded)
    }

    /// Hands out the lines of a conversation as they are, oldest first.
    pub(crate) fn lines(
        mut self,
        session: &str,
        at: Option<Uuid>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let mut line = Vec::new();
        for part in self.parts(session, at)? {
            let error = |error: io::Error| failed(&part.session, &part.path, &error);
            let mut source = Source::open(&part.path, self.limits).map_err(error)?;
            for node in &part.nodes {
                source.line(*node, &mut line).and_then(|()| take(&line)).map_err(error)?;
            }
        }
        Ok(())
    }

    /// The session whose file holds an entry of a conversation, or its newest one, and the entry.
    pub(crate) fn fork_point(
        mut self,
        session: &str,
        at: Option<Uuid>,
    ) -> Result<(String, Uuid), StoreError> {
        if let Some(at) = at.filter(|at| self.part(session, Some(*at)).is_ok()) {
            return Ok((session.to_owned(), at));
        }
        let parts = self.parts(session, None)?;
        let mut all = parts
            .iter()
            .rev()
            .flat_map(|part| part.nodes.iter().rev().map(|node| (&part.session, node.uuid)));
        let found = all.find(|(_, uuid)| at.is_none_or(|at| at == *uuid));
        found
            .map(|(session, uuid)| (session.clone(), uuid))
            .ok_or_else(|| unknown_entry(session, at.unwrap_or_default()))
    }

    /// Files and entries of the conversation, oldest first.
    fn parts(&mut self, session: &str, at: Option<Uuid>) -> Result<Vec<Part>, StoreError> {
        let (mut parts, mut next) = (Vec::new(), Some((session.to_owned(), at)));
        while let Some((session, at)) = next.take() {
            let circle = parts.iter().any(|part: &Part| part.session == session);
            if circle || parts.len() >= self.limits.fork_depth {
                self.without_parent(&session, "it goes back to itself, or through too many sessions");
                break;
            }
            match self.part(&session, at) {
                Ok((part, fork)) => {
                    parts.push(part);
                    next = fork.map(|fork| (fork.session, Some(fork.at)));
                }
                Err(error) if parts.is_empty() => return Err(error),
                Err(error) => self.without_parent(&session, &error.to_string()),
            }
        }
        parts.reverse();
        Ok(parts)
    }

    fn without_parent(&mut self, session: &str, why: &str) {
        let detail = format!("The history that the session goes on with is not there: {why}.");
        self.decisions.push(context_api::Decision::failed(session, "fork_parent_missing", detail));
    }

    fn part(&mut self, session: &str, at: Option<Uuid>) -> Result<(Part, Option<ForkPoint>), StoreError> {
        let path = file(self.root, session)?;
        let mut problems = Problems::new(session, self.limits.findings);
        let index =
            Index::of(&path, self.limits, &mut problems).map_err(|error| failed(session, &path, &error))?;
        self.decisions.extend(problems.finish());
        let leaf = match at {
            Some(at) => Some(*index.by_uuid.get(&at).ok_or_else(|| unknown_entry(session, at))?),
            None => newest_leaf(&index),
        };
        let mut nodes: Vec<Node> = leaf
            .map(|leaf| chain(&index, leaf))
            .unwrap_or_default()
            .into_iter()
            .map(|at| index.nodes[at])
            .collect();
        let beside = index.nodes.len() - nodes.len();
        if at.is_none() && beside > 0 {
            // Whoever writes one after the other leaves none; two writers, or a host that goes back, do.
            let detail =
                format!("{beside} entries follow an earlier one than the newest does, and do not count.");
            self.decisions.push(context_api::Decision::left_out(session, "other_branch", detail));
        }
        let is_fork = nodes.first().is_some_and(|node| node.sort == Sort::Fork);
        let fork = is_fork.then(|| nodes.remove(0)).and_then(|node| self.names_parent(session, &path, node));
        Ok((Part { session: session.to_owned(), path, nodes }, fork))
    }

    fn names_parent(&mut self, session: &str, path: &Path, node: Node) -> Option<ForkPoint> {
        let mut line = Vec::new();
        let point = Source::open(path, self.limits)
            .and_then(|mut source| source.line(node, &mut line))
            .ok()
            .and_then(|()| line::read(&line).ok())
            .and_then(|line| ForkPoint::of(&line.entry));
        if point.is_none() {
            self.without_parent(session, "the line that names it can not be read");
        }
        point
    }

    /// Where the last boundary is, and what it says.
    fn last_boundary(&self, parts: &[Part]) -> Result<Option<Last>, StoreError> {
        for (number, part) in parts.iter().enumerate().rev() {
            let Some(place) = part.nodes.iter().rposition(|node| node.sort == Sort::Boundary) else {
                continue;
            };
            let mut line = Vec::new();
            Source::open(&part.path, self.limits)
                .and_then(|mut source| source.line(part.nodes[place], &mut line))
                .map_err(|error| failed(&part.session, &part.path, &error))?;
            if let Some(EntryKind::Boundary(boundary)) =
                line::read(&line).ok().map(|line| line.entry.kind.clone())
            {
                let boundary = relinked(boundary, parts, number, place);
                return Ok(Some(Last { part: number, place, boundary }));
            }
        }
        Ok(None)
    }

    fn read(
        &mut self,
        part: &Part,
        number: usize,
        last: Option<&Last>,
        loaded: &mut Loaded,
    ) -> Result<(), StoreError> {
        let mut problems = Problems::new(&part.session, self.limits.findings);
        let error = |error: io::Error| failed(&part.session, &part.path, &error);
        let mut source = Source::open(&part.path, self.limits).map_err(error)?;
        let (mut line, ends) = (Vec::new(), part.nodes.len().saturating_sub(1));
        for (place, node) in part.nodes.iter().enumerate() {
            source.line(*node, &mut line).map_err(error)?;
            if place == 0 && number == 0 {
                loaded.first = line::facts(&line);
            }
            if place == ends {
                loaded.last = line::facts(&line);
            }
            let Some(entry) = read(&line, *node, &mut problems) else { continue };
            match last {
                Some(last) if (number, place) < (last.part, last.place) => {
                    loaded.take_before(entry, &last.boundary)
                }
                Some(last) if (number, place) == (last.part, last.place) => loaded.take(last.entry(&entry)),
                _ => loaded.take(entry),
            }
        }
        self.decisions.extend(problems.finish());
        Ok(())
    }
}

/// The last boundary of a conversation.
struct Last {
    part: usize,
    place: usize,
    boundary: Boundary,
}

impl Last {
    /// The boundary's entry, which says what it keeps.
    fn entry(&self, entry: &Arc<Entry>) -> Arc<Entry> {
        let mut whole = (**entry).clone();
        whole.kind = EntryKind::Boundary(self.boundary.clone());
        if whole == **entry { Arc::clone(entry) } else { Arc::new(whole) }
    }
}

/// The boundary with all it keeps: where it names none one by one, the entries behind its head, up to its tail.
fn relinked(mut boundary: Boundary, parts: &[Part], number: usize, place: usize) -> Boundary {
    let (true, Some(tail)) = (boundary.kept.is_empty(), boundary.tail) else { return boundary };
    let before = parts.iter().take(number).flat_map(|part| &part.nodes).chain(&parts[number].nodes[..place]);
    let before: Vec<Uuid> = before.map(|node| node.uuid).collect();
    let at = |uuid: Uuid| before.iter().position(|one| *one == uuid);
    let Some(end) = at(tail) else { return boundary };
    let start = boundary.head.and_then(at).map_or(0, |head| head + 1);
    boundary.kept = before.get(start..=end).unwrap_or_default().to_vec();
    boundary
}

fn read(bytes: &[u8], node: Node, problems: &mut Problems) -> Option<Arc<Entry>> {
    let number = node.place.number;
    let line = match line::read(bytes) {
        Ok(line) => line,
        Err(error) => {
            let detail = format!("The line is no entry and was passed over: {error}.");
            problems.lost(number, "corrupt_line", &detail, node.place.bytes);
            return None;
        }
    };
    for mended in &line.mended {
        let (reason, detail) = said(*mended);
        problems.mended(number, reason, detail);
    }
    if let (EntryKind::Unknown { tag, .. }, []) = (&line.entry.kind, &*line.mended) {
        let detail = format!(
            "Entries of type {} are not known here; it is kept as it is.",
            context_text::safe_line(tag)
        );
        problems.mended(number, "unknown_type", &detail);
    }
    Some(line.entry)
}

fn said(mended: Mended) -> (&'static str, &'static str) {
    match mended {
        Mended::NotUtf8 => ("not_utf8", "Bytes that are no UTF-8 were replaced."),
        Mended::NulBytes => ("nul_bytes", "Zero bytes were taken out."),
        Mended::HalfSurrogate => ("half_surrogate", "Half of a surrogate pair was replaced."),
        Mended::UnreadPayload => {
            ("unread_payload", "The type is known and the payload is not; it is kept as it is.")
        }
    }
}

/// A file whose lines are read where they are.
struct Source {
    reader: BufReader<File>,
    at: u64,
}

impl Source {
    fn open(path: &Path, limits: &StoreLimits) -> io::Result<Self> {
        Ok(Self { reader: BufReader::with_capacity(limits.read_buffer, private::open(path)?), at: 0 })
    }

    fn line(&mut self, node: Node, line: &mut Vec<u8>) -> io::Result<()> {
        let Node { place, .. } = node;
        let distance =
            i64::try_from(i128::from(place.offset) - i128::from(self.at)).map_err(io::Error::other)?;
        self.reader.seek_relative(distance)?;
        let bytes = usize::try_from(place.bytes).map_err(io::Error::other)?;
        line.clear();
        line.resize(bytes, 0);
        self.reader.read_exact(line)?;
        self.at = place.offset + place.bytes;
        Ok(())
    }
}

/// The error of a session of which there is no file.
pub(crate) fn not_found(session: &str, path: &Path) -> StoreError {
    StoreError::new(session, StoreErrorKind::NotFound, format!("{} is not there", path.display()))
}
