//! The names directly in one directory of the index.

use std::ops::Range;

use gix::bstr::{BStr, ByteSlice};
use gix::index::State;

/// One name: a file with all its stages, or a directory with everything below it.
#[derive(Debug, Clone)]
pub(crate) struct Span<'a> {
    pub(crate) name: &'a BStr,
    pub(crate) is_dir: bool,
    /// Positions in the index.
    pub(crate) range: Range<usize>,
}

/// The names in the directory whose path has `prefix` bytes and whose entries are `range`, in index order.
pub(crate) fn of(index: &State, range: Range<usize>, prefix: usize) -> Spans<'_> {
    Spans { index, range, prefix }
}

/// Iterator of [`of`].
#[derive(Clone)]
pub(crate) struct Spans<'a> {
    index: &'a State,
    range: Range<usize>,
    prefix: usize,
}

impl<'a> Iterator for Spans<'a> {
    type Item = Span<'a>;

    fn next(&mut self) -> Option<Span<'a>> {
        let start = self.range.start;
        if self.range.is_empty() {
            return None;
        }
        let path = self.index.entry(start).path(self.index);
        let rest = path[self.prefix..].as_bstr();
        let (length, is_dir, end) = match rest.find_byte(b'/') {
            Some(at) => (at, true, self.end(start, &path[..self.prefix + at + 1])),
            None => (rest.len(), false, self.end_of_stages(start, path)),
        };
        self.range.start = end;
        Some(Span { name: rest[..length].as_bstr(), is_dir, range: start..end })
    }
}

impl Spans<'_> {
    fn end_of_stages(&self, start: usize, path: &BStr) -> usize {
        let unconflicted = self.index.entry(start).stage_raw() == 0;
        let mut end = start + 1;
        while !unconflicted && end < self.range.end && self.index.entry(end).path(self.index) == path {
            end += 1;
        }
        end
    }

    /// The end of the run of entries from `start` whose paths begin with `directory`: steps that double, then halves.
    fn end(&self, start: usize, directory: &[u8]) -> usize {
        let inside = |at: usize| self.index.entry(at).path(self.index).starts_with(directory);
        let (mut low, mut step) = (start, 1);
        let mut high = loop {
            let next = low + step;
            if next >= self.range.end {
                break self.range.end;
            }
            if !inside(next) {
                break next;
            }
            low = next;
            step *= 2;
        };
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if inside(middle) { low = middle } else { high = middle }
        }
        high
    }
}
