//! Where the entries of a file are: all that is known of it without its texts.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::io::{self, BufReader};
use std::path::Path;

use uuid::Uuid;

use crate::limits::StoreLimits;
use crate::line::{self, FORK, Head};
use crate::lines::{Lines, Next, Place};
use crate::private;
use crate::problems::Problems;

/// One entry of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) uuid: Uuid,
    /// The entry before it in its conversation: always an earlier one of the file.
    pub(crate) parent: Option<usize>,
    pub(crate) sort: Sort,
    pub(crate) place: Place,
}

/// What of an entry's type matters for finding a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Boundary,
    ToolResult,
    Fork,
    Other,
}

/// All entries of a file in its order.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) nodes: Vec<Node>,
    pub(crate) by_uuid: HashMap<Uuid, usize>,
    /// Bytes that were read.
    pub(crate) bytes: u64,
    /// Whether the last line has no end.
    pub(crate) open_end: bool,
}

impl Index {
    /// Reads a file, a line at a time.
    pub(crate) fn of(path: &Path, limits: &StoreLimits, problems: &mut Problems) -> io::Result<Self> {
        let mut lines =
            Lines::new(BufReader::with_capacity(limits.read_buffer, private::open(path)?), limits.line);
        let (mut index, mut line) = (Self::default(), Vec::new());
        loop {
            match lines.next(&mut line)? {
                Next::End => return Ok(index),
                Next::TooLong(place) => {
                    index.end(place, true);
                    let detail = "The line is longer than the limit of a line and was passed over.";
                    problems.lost(place.number, "line_too_long", detail, place.bytes);
                }
                Next::Line(place, ended) => {
                    index.end(place, ended);
                    index.line(&line, place, ended, problems);
                }
            }
        }
    }

    fn end(&mut self, place: Place, ended: bool) {
        self.bytes = place.offset + place.bytes + u64::from(ended);
        self.open_end = !ended;
    }

    fn line(&mut self, bytes: &[u8], place: Place, ended: bool, problems: &mut Problems) {
        if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
            return;
        }
        let mended;
        let head = match serde_json::from_slice::<Head<'_>>(bytes) {
            Ok(strict) => Ok(strict),
            // a strict reader gives up where the reader of entries mends
            Err(_) => {
                mended = line::text(bytes).0;
                serde_json::from_str(&mended)
            }
        };
        match head {
            Ok(head) => self.add(&head, place, problems),
            Err(error) => Self::unread(&error, place, ended, problems),
        }
    }

    fn unread(error: &serde_json::Error, place: Place, ended: bool, problems: &mut Problems) {
        let (reason, what) = if ended {
            ("corrupt_line", "The line is no entry and was passed over")
        } else {
            ("torn_last_line", "The last line was not written to its end and does not count")
        };
        problems.lost(place.number, reason, &format!("{what}: {error}."), place.bytes);
    }

    fn add(&mut self, head: &Head<'_>, place: Place, problems: &mut Problems) {
        let next = self.nodes.len();
        let slot = match self.by_uuid.entry(head.uuid) {
            Slot::Vacant(slot) => slot,
            Slot::Occupied(_) => {
                let detail = format!("The entry {} is there already; the first one counts.", head.uuid);
                return problems.lost(place.number, "duplicate_uuid", &detail, place.bytes);
            }
        };
        slot.insert(next);
        let sort = match &*head.tag {
            "boundary" => Sort::Boundary,
            "tool_result" => Sort::ToolResult,
            FORK => Sort::Fork,
            _ => Sort::Other,
        };
        let parent = self.parent(head, next, sort, place, problems);
        self.nodes.push(Node { uuid: head.uuid, parent, sort, place });
    }

    /// The parent, which is earlier in the file; where it is not, the line before stands in, so that there is no circle and
    /// nothing behind a gap is lost.
    fn parent(
        &self,
        head: &Head<'_>,
        next: usize,
        sort: Sort,
        place: Place,
        problems: &mut Problems,
    ) -> Option<usize> {
        let before = next.checked_sub(1);
        let Some(parent) = head.parent_uuid else {
            // a boundary may begin a chain of its own, and what it keeps is before it
            return if sort == Sort::Boundary { before } else { None };
        };
        if let Some(known) = self.by_uuid.get(&parent).filter(|known| **known < next) {
            return Some(*known);
        }
        let follows_fork = before.is_some_and(|before| self.nodes[before].sort == Sort::Fork);
        if !follows_fork {
            let (reason, detail) = if parent == head.uuid {
                (
                    "self_parent",
                    "The entry names itself as the one before it; the line before takes that place.",
                )
            } else {
                (
                    "parent_missing",
                    "The entry before it is not there or comes later; the line before takes its place.",
                )
            };
            problems.mended(place.number, reason, detail);
        }
        before
    }
}
