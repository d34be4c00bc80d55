//! Which entries of a file make the conversation.

use std::collections::HashSet;

use crate::index::{Index, Sort};

/// The conversation that ends with entry `leaf`, oldest first: its parents, and results of tools beside them that were
/// written next to each other under one answer.
pub(crate) fn chain(index: &Index, leaf: usize) -> Vec<usize> {
    let nodes = &index.nodes;
    let mut line: Vec<usize> = std::iter::successors(Some(leaf), |at| nodes[*at].parent).collect();
    line.reverse();
    let on_it: HashSet<usize> = line.iter().copied().collect();
    let parents: HashSet<usize> = nodes.iter().filter_map(|node| node.parent).collect();
    let beside = (0..leaf).filter(|at| {
        let node = &nodes[*at];
        let answers_one = node.parent.is_some_and(|parent| on_it.contains(&parent));
        node.sort == Sort::ToolResult && !on_it.contains(at) && !parents.contains(at) && answers_one
    });
    line.extend(beside);
    // a parent is always earlier in the file, so that its order is that of the conversation
    line.sort_unstable();
    line
}

/// The newest entry that no other follows.
pub(crate) fn newest_leaf(index: &Index) -> Option<usize> {
    index.nodes.len().checked_sub(1)
}
