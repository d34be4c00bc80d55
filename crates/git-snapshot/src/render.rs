//! A snapshot as text for a model.

use std::fmt::Write;

use context_api::{Commit, Decision, GitSnapshot, Head, Status};

use crate::limits::GitLimits;
use crate::wording;

/// The text of `snapshot`, and what was cut from it.
pub(crate) fn render(snapshot: &GitSnapshot, limits: &GitLimits) -> (String, Vec<Decision>) {
    let mut decisions = Vec::new();
    let mut blocks =
        vec![wording::INTRODUCTION.to_owned(), format!("{}{}", wording::BRANCH, branch(&snapshot.branch))];
    blocks.extend(
        snapshot.main_branch.as_deref().map(|name| format!("{}{}", wording::MAIN_BRANCH, shown(name))),
    );
    blocks.extend(snapshot.user.as_deref().map(|name| format!("{}{}", wording::USER, shown(name))));
    blocks.push(format!("{}\n{}", wording::STATUS, status(&snapshot.status, limits, &mut decisions)));
    blocks.push(format!("{}\n{}", wording::COMMITS, commits(snapshot, limits, &mut decisions)));
    (blocks.join("\n\n"), decisions)
}

pub(crate) fn branch(head: &Head) -> String {
    match head {
        Head::Branch { name } | Head::Unborn { name } => shown(name),
        Head::Detached { id } => wording::detached(&shown(id)),
    }
}

fn status(status: &Status, limits: &GitLimits, decisions: &mut Vec<Decision>) -> String {
    match status {
        Status::Finished { lines } if lines.is_empty() => wording::CLEAN.to_owned(),
        Status::Finished { lines } => entries(lines, limits, decisions),
        Status::Unfinished => wording::UNFINISHED.to_owned(),
        Status::Unreadable { reason } => wording::unreadable(&shown(reason)),
    }
}

/// As many whole lines as fit.
fn entries(lines: &[String], limits: &GitLimits, decisions: &mut Vec<Decision>) -> String {
    let mut text = String::new();
    let mut chars = 0;
    for (at, line) in lines.iter().map(|line| shown(line)).enumerate() {
        let separator = usize::from(at > 0);
        let more = line.chars().count() + separator;
        if chars + more > limits.status_chars {
            let rest = &lines[at..];
            let bytes: usize = rest.iter().map(|line| line.len() + 1).sum();
            let detail = format!("{} of {} status entries are left out.", rest.len(), lines.len());
            decisions.push(Decision::cut("git status", "status_limit", detail).bytes(bytes as u64));
            let _ =
                write!(text, "{}{}", if at > 0 { "\n" } else { "" }, wording::left_out(rest.len(), limits));
            break;
        }
        chars += more;
        text.extend((separator > 0).then_some('\n'));
        text.push_str(&line);
    }
    text
}

fn commits(snapshot: &GitSnapshot, limits: &GitLimits, decisions: &mut Vec<Decision>) -> String {
    if matches!(snapshot.branch, Head::Unborn { .. }) {
        return wording::NO_COMMITS.to_owned();
    }
    let lines: Vec<String> =
        snapshot.log.iter().map(|commit| commit_line(commit, limits, decisions)).collect();
    lines.join("\n")
}

fn commit_line(commit: &Commit, limits: &GitLimits, decisions: &mut Vec<Decision>) -> String {
    let mut subject = shown(&commit.subject);
    if let Some((end, _)) = subject.char_indices().nth(limits.subject_chars) {
        let cut = subject.len() - end;
        subject.truncate(end);
        subject.push('…');
        let detail =
            format!("The subject of {} is longer than {} characters.", commit.id, limits.subject_chars);
        decisions.push(Decision::cut("git log", "subject_limit", detail).bytes(cut as u64));
    }
    format!("{} {subject}", shown(&commit.id))
}

/// `text` on one line: control characters, line and paragraph separators and marks that change the direction of text
/// become visible escapes.
pub(crate) fn shown(text: &str) -> String {
    if !text.chars().any(is_hidden) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hidden(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn snapshot(lines: Vec<String>) -> GitSnapshot {
        let mut snapshot = GitSnapshot::new(Head::Branch { name: "feat/x".into() }, Timestamp::UNIX_EPOCH);
        snapshot.main_branch = Some("main".into());
        snapshot.user = Some("Ada".into());
        snapshot.status = Status::Finished { lines };
        snapshot.log = vec![Commit { id: "1234567".into(), subject: "One".into() }];
        snapshot
    }

    #[test]
    fn labels_stand_in_order_with_blank_lines_between() {
        let (text, decisions) = render(&snapshot(vec![" M a".into(), "?? b".into()]), &GitLimits::default());
        let rest = text.split_once("\n\n").expect("an introduction").1;
        assert_eq!(
            rest,
            "Current branch: feat/x\n\nMain branch: main\n\nGit user: Ada\n\nStatus:\n M a\n?? b\n\nRecent commits:\n1234567 One"
        );
        assert!(decisions.is_empty());
    }

    #[test]
    fn an_unborn_branch_has_no_commits_and_a_clean_tree_says_so() {
        let mut snapshot = snapshot(Vec::new());
        snapshot.branch = Head::Unborn { name: "main".into() };
        snapshot.user = None;
        let (text, _) = render(&snapshot, &GitLimits::default());
        assert!(text.contains("Status:\n(clean)") && text.ends_with("Recent commits:\n(no commits yet)"));
        assert!(!text.contains("Git user"));
    }

    #[test]
    fn a_long_status_is_cut_after_a_whole_line_and_says_how_many_are_missing() {
        let lines: Vec<String> = (0..400).map(|n| format!("?? ファイル{n:04}.txt")).collect();
        let (text, decisions) = render(&snapshot(lines.clone()), &GitLimits::default());
        let status =
            text.split("Status:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a status");
        let kept: Vec<&str> = status.lines().filter(|line| line.starts_with("?? ")).collect();
        assert!(kept.iter().zip(&lines).all(|(kept, line)| kept == line));
        assert!(kept.join("\n").chars().count() <= 2_000);
        assert!(
            status.ends_with("lists them all)")
                && status.contains(&format!("({} more entries", 400 - kept.len()))
        );
        assert_eq!(decisions.len(), 1);
    }

    #[test]
    fn a_single_name_longer_than_the_limit_is_left_out_whole() {
        let (text, _) = render(&snapshot(vec![format!("?? {}", "x".repeat(3_000))]), &GitLimits::default());
        assert!(text.contains("Status:\n(1 more entry left out") && !text.contains("xxx"));
    }

    #[test]
    fn no_control_character_reaches_the_model() {
        let mut snapshot = snapshot(vec!["?? a\u{9b}31m".into()]);
        snapshot.user = Some("A\nStatus:\n\u{1b}[31m".into());
        let (text, _) = render(&snapshot, &GitLimits::default());
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert_eq!(text.matches("\nStatus:\n").count(), 1);
    }
}
