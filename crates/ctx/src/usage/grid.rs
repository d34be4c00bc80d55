//! A usage as text.

use std::fmt::Write as _;

use agent_core::context_budget::{ContextUsage, UsageRow};
use context_text::safe_line;

use super::label::shortened;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Columns of the terminal.
    pub(crate) width: usize,
    /// Whether to colour.
    pub(crate) colours: bool,
}

/// One mark a row, told apart without colour.
const MARKS: [char; 10] = ['S', 'G', 'D', 'M', 'T', 'A', 'K', 'C', 'U', 'O'];
const COLOURS: [u8; 10] = [35, 34, 36, 32, 33, 31, 95, 94, 92, 93];
const BUFFER: char = '-';
const FREE: char = '.';
/// Window from which on the grid has twice the columns.
const LARGE: u64 = 1_000_000;
/// Rows shown below a row.
const CHILDREN: usize = 8;
/// Columns of a label.
const LABEL: usize = 34;

/// A grid of the window, a legend with bars, advice and forecast.
pub(crate) fn grid(usage: &ContextUsage, look: Look) -> String {
    let mut out = format!("{} of {} tokens, {} free\n\n", usage.total, usage.window, usage.free);
    let columns = if usage.window >= LARGE { 20 } else { 10 };
    let cells = cells(usage, columns * 10);
    for line in cells.chunks(columns) {
        let line: Vec<String> = line.iter().map(|cell| paint(*cell, look)).collect();
        let _ = writeln!(out, "  {}", line.join(" "));
    }
    out.push('\n');
    for (at, row) in usage.rows.iter().enumerate() {
        legend(&mut out, row, &paint(mark(at), look), usage, look, 0);
    }
    free(&mut out, usage, look);
    notes(&mut out, usage, look);
    out
}

fn mark(row: usize) -> char {
    MARKS[row % MARKS.len()]
}

fn paint(mark: char, look: Look) -> String {
    let colour = MARKS.iter().position(|one| *one == mark).map(|at| COLOURS[at]);
    match colour.filter(|_| look.colours) {
        Some(colour) => format!("\u{1b}[{colour}m{mark}\u{1b}[0m"),
        None => mark.to_string(),
    }
}

/// One mark a cell: rows in order, each rounded by where it ends, so that the sum is right; then free, then the buffer.
fn cells(usage: &ContextUsage, count: usize) -> Vec<char> {
    let window = usage.window.max(usage.total).max(1);
    let place =
        |tokens: u64| usize::try_from(tokens.saturating_mul(count as u64).div_ceil(window)).unwrap_or(count);
    let mut cells = Vec::with_capacity(count);
    let mut sum = 0;
    for (at, row) in usage.rows.iter().enumerate() {
        sum += row.tokens;
        cells.resize(place(sum).min(count).max(cells.len()), mark(at));
    }
    let buffer = place(usage.buffer.min(usage.free)).min(count - cells.len());
    cells.resize(count - buffer, FREE);
    cells.resize(count, BUFFER);
    cells
}

fn legend(out: &mut String, row: &UsageRow, mark: &str, usage: &ContextUsage, look: Look, depth: usize) {
    line(out, mark, &row.label, row.tokens, usage, look, depth);
    if depth >= 2 {
        return;
    }
    let mut children: Vec<&UsageRow> = row.children.iter().collect();
    children.sort_by_key(|child| std::cmp::Reverse(child.tokens));
    let rest = children.split_off(children.len().min(CHILDREN));
    for child in children {
        legend(out, child, " ", usage, look, depth + 1);
    }
    if !rest.is_empty() {
        let tokens = rest.iter().map(|row| row.tokens).sum();
        line(out, " ", &format!("{} more", rest.len()), tokens, usage, look, depth + 1);
    }
}

fn line(
    out: &mut String,
    mark: &str,
    label: &str,
    tokens: u64,
    usage: &ContextUsage,
    look: Look,
    depth: usize,
) {
    // Without a window shares are those of what there is.
    let window = if usage.window == 0 { usage.total.max(1) } else { usage.window };
    let indent = "  ".repeat(depth);
    let wide = LABEL.min(look.width.saturating_sub(26)).max(8);
    let label = format!("{indent}{}", shortened(&safe_line(label), wide - indent.len().min(wide)));
    let tenths = tokens.saturating_mul(1_000) / window;
    let head = format!("{mark} {label:<wide$} {tokens:>9} {:>3}.{} %", tenths / 10, tenths % 10);
    let room = look.width.saturating_sub(wide + 22).min(30);
    let bar = usize::try_from(tokens.saturating_mul(room as u64) / window).unwrap_or(room).min(room);
    let _ = writeln!(out, "{}", format!("{head} {}", "#".repeat(bar)).trim_end());
}

fn free(out: &mut String, usage: &ContextUsage, look: Look) {
    let buffer = usage.buffer.min(usage.free);
    line(out, &FREE.to_string(), "Free", usage.free - buffer, usage, look, 0);
    if buffer > 0 {
        line(out, &BUFFER.to_string(), "Kept for answer and summary", buffer, usage, look, 0);
    }
}

fn notes(out: &mut String, usage: &ContextUsage, look: Look) {
    if !usage.advice.is_empty() {
        out.push_str("\nAdvice\n");
        for advice in &usage.advice {
            let _ = writeln!(out, "  {}", safe_line(&advice.text));
        }
    }
    let shown: Vec<_> = usage.forecast.iter().filter(|(_, tokens)| **tokens > 0).collect();
    if !shown.is_empty() {
        out.push_str("\nWould free\n");
        for (what, tokens) in shown {
            let _ = writeln!(
                out,
                "  {tokens:>9}  {}",
                shortened(&safe_line(what), look.width.saturating_sub(13).max(8))
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(window: u64) -> ContextUsage {
        use agent_core::context_api::{ContentBlock, ModelBlock, ModelMessage, ModelRequest, Role};
        use agent_core::context_budget::{EstimateCounter, Provenance};
        let mut request = ModelRequest::default();
        let block = ModelBlock::plain(ContentBlock::text("word ".repeat(22_000)));
        request.messages = vec![ModelMessage::new(Role::User, vec![block]).into()];
        ContextUsage::of(&request, &Provenance::default(), &EstimateCounter::default())
            .window(window)
            .buffer(20_000)
    }

    #[test]
    fn the_grid_has_a_cell_a_percent_and_fits_any_width() {
        for (window, columns) in [(200_000, 10), (1_000_000, 20), (0, 10), (10_000, 10)] {
            assert_eq!(cells(&usage(window), columns * 10).len(), columns * 10);
            for width in [20, 40, 80, 200] {
                let text = grid(&usage(window), Look { width, colours: false });
                let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
                assert!(widest <= width.max(42), "{widest} of {width}:\n{text}");
                assert!(!text.contains('\u{1b}'));
            }
        }
    }

    #[test]
    fn cells_say_what_is_taken_free_and_kept() {
        let cells = cells(&usage(200_000), 100);
        let count = |mark| cells.iter().filter(|cell| **cell == mark).count();
        assert_eq!((count('S'), count(FREE), count(BUFFER)), (11, 79, 10), "some 21,000 tokens of 200,000");
    }

    #[test]
    fn colour_is_only_where_it_was_asked_for() {
        assert!(grid(&usage(200_000), Look { width: 80, colours: true }).contains("\u{1b}[35mS"));
    }
}
