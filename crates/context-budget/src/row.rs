//! The tree of a usage.

use std::path::{Path, PathBuf};

use serde::Serialize;

/// One row: a leaf, or the sum of its children.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct UsageRow {
    /// What it is, for people.
    pub label: String,
    /// Its tokens.
    pub tokens: u64,
    /// Its bytes.
    pub bytes: u64,
    /// The file it comes from. In JSON safe to print.
    #[serde(serialize_with = "shown")]
    pub source: Option<PathBuf>,
    /// What it consists of; empty for a leaf.
    pub children: Vec<UsageRow>,
}

fn shown<S: serde::Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(context_text::display_path).serialize(serializer)
}

impl UsageRow {
    fn named(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    /// The leaves below it, itself where it is one.
    pub fn leaves(&self) -> Vec<&UsageRow> {
        if self.children.is_empty() {
            return vec![self];
        }
        self.children.iter().flat_map(Self::leaves).collect()
    }
}

/// What a leaf holds.
#[derive(Clone, Copy)]
pub(crate) struct Share<'a> {
    pub(crate) tokens: u64,
    pub(crate) bytes: u64,
    pub(crate) source: Option<&'a Path>,
}

impl Share<'static> {
    pub(crate) fn new(tokens: u64, bytes: usize) -> Self {
        Self { tokens, bytes: bytes as u64, source: None }
    }
}

/// What a row's own share is called once it has children.
const OTHER: &str = "Other";

/// Adds a share to the leaf at `path` below `rows`, and to every row above it. Rows keep the order in which they came.
pub(crate) fn add(rows: &mut Vec<UsageRow>, path: &[&str], share: Share<'_>) {
    let Some((label, below)) = path.split_first() else { return };
    let row = row(rows, label, share.source.filter(|_| below.is_empty()));
    let had = Share::new(row.tokens, row.bytes as usize);
    row.tokens += share.tokens;
    row.bytes += share.bytes;
    if below.is_empty() && row.children.is_empty() {
        return;
    }
    // A row is a leaf or the sum of its children, so that leaves always add up to the total.
    if row.children.is_empty() && (had.tokens, had.bytes) != (0, 0) {
        add(&mut row.children, &[OTHER], had);
    }
    add(&mut row.children, if below.is_empty() { &[OTHER] } else { below }, share);
}

/// The row of a label and a file, made where it is not there.
fn row<'a>(rows: &'a mut Vec<UsageRow>, label: &str, source: Option<&Path>) -> &'a mut UsageRow {
    let found = rows.iter().position(|row| row.label == label && row.source.as_deref() == source);
    let place = found.unwrap_or_else(|| {
        rows.push(UsageRow { source: source.map(Path::to_path_buf), ..UsageRow::named(label) });
        rows.len() - 1
    });
    &mut rows[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_with_children_is_their_sum_whatever_comes_first() {
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
            let mut rows = Vec::new();
            for step in order {
                let path: &[&str] = [&["a"][..], &["a", "b"], &["a", "b", "c"]][step];
                add(&mut rows, path, Share::new(1 << step, 10));
            }
            let leaves: u64 = rows[0].leaves().iter().map(|leaf| leaf.tokens).sum();
            assert_eq!((rows.len(), rows[0].tokens, leaves, rows[0].bytes), (1, 7, 7, 30), "{rows:?}");
        }
    }
}
