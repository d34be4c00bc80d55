//! How all texts together are made to fit.

use claudemd::MemoryBudget;
use context_api::{MemoryFile, MemoryLoad, Verdict};
use context_testkit::Place;
use proptest::prelude::*;

use crate::support::*;

fn chars(load: &MemoryLoad) -> usize {
    load.files.iter().map(|file| file.text.chars().count()).sum()
}

#[test]
fn a_large_root_file_does_not_starve_the_most_specific_one() {
    let place = Place::new();
    let big = format!("MARK_BIG_HEAD\n{}MARK_BIG_TAIL\n", "- keep é tidy\n".repeat(3_000));
    place.write("CLAUDE.md", &big);
    place.write("pkg/CLAUDE.md", "MARK_LEAF_HEAD\nleaf rule é\nMARK_LEAF_TAIL\n");
    let load = load(&place, "pkg", options(&place));
    assert_eq!(marks(&load), ["MARK_BIG_HEAD", "MARK_BIG_TAIL", "MARK_LEAF_HEAD", "MARK_LEAF_TAIL"]);
    assert!(!text(&load).contains('\u{fffd}'));
    assert!(chars(&load) <= 40_000 && chars(&load) > 39_000);
    let file = &load.files[0];
    assert!(
        file.text.contains("of 3002 lines of ") && file.text.contains("proj/CLAUDE.md are left out here")
    );
    assert!(file.content_differs_from_disk);
    assert_eq!(file.raw.as_deref(), Some(&*big));
    let decision = decision(&load, "proj/CLAUDE.md");
    assert_eq!((decision.verdict, &*decision.reason), (Verdict::Cut, "over_budget"));
    assert!(decision.bytes.unwrap() > 2_000);
}

#[test]
fn managed_files_are_never_cut() {
    let place = Place::new();
    place.write("{managed}/CLAUDE.md", "policy line\n".repeat(4_000));
    place.write("{home}/.claude/CLAUDE.md", "user line\n".repeat(2_000));
    place.write("CLAUDE.md", format!("MARK_P\n{}", "project line\n".repeat(200)));
    let load = load_proj(&place);
    let lengths: Vec<usize> = load.files.iter().map(|file| file.text.chars().count()).collect();
    assert_eq!((lengths[0], lengths[2]), (47_999, 2_606), "neither the policy nor the nearest file is cut");
    assert!(
        (7_000..=10_000 - 2_606).contains(&lengths[1]),
        "a quarter is left beside the policy: {lengths:?}"
    );
    assert_eq!(reasons(&load, "home/.claude/CLAUDE.md"), ["over_budget"]);
    assert_eq!(decision(&load, "memory").verdict, Verdict::Included, "it says that it does not fit");
}

#[test]
fn a_single_file_over_the_budget_is_cut_to_it() {
    let place = Place::new();
    place.write("CLAUDE.md", "a line of text\n".repeat(4_000));
    let load = load_proj(&place);
    assert!(chars(&load) <= 40_000 && chars(&load) > 39_500);
}

/// Rules of four lines, as many as one likes: the load, how many are whole, and notes in the texts.
fn many_rules(count: usize, chars: usize) -> (MemoryLoad, usize, usize) {
    let place = Place::new();
    let line = format!("{}\n", "x".repeat(chars / 4 - 1));
    (0..count).for_each(|n| drop(place.write(&format!(".claude/rules/r{n:03}.md"), line.repeat(4))));
    let load = load_proj(&place);
    let whole = load.files.iter().filter(|file| file.text.lines().count() == 4).count();
    let notes = load.files.iter().filter(|file| file.text.contains("are left out here")).count();
    (load, whole, notes)
}

#[test]
fn notes_about_many_small_files_do_not_take_the_place_of_what_they_say() {
    for (count, each, least) in [(170, 250, 140), (210, 200, 120), (250, 200, 190), (300, 150, 255)] {
        let (load, whole, notes) = many_rules(count, each);
        assert!(chars(&load) <= 40_000, "{count} of {each}");
        assert!(whole >= least, "{count} of {each}: {whole} are whole");
        assert!(notes > 0 && load.files.iter().all(|file| !file.text.is_empty()), "{count} of {each}");
        let told = load.decisions.iter().filter(|decision| decision.reason == "over_budget").count();
        assert_eq!(told, count - whole, "{count} of {each}");
    }
}

#[test]
fn a_long_path_among_many_rules_does_not_break_the_budget() {
    for (count, each) in [(190, 240), (200, 240), (190, 235), (12, 100)] {
        let place = Place::new();
        let line = format!("{}\n", "x".repeat(each / 4 - 1));
        (0..count).for_each(|n| drop(place.write(&format!(".claude/rules/r{n:03}.md"), line.repeat(4))));
        let long = format!(".claude/rules/{}.md", "long".repeat(25));
        place.write(&long, "a line of a long rule\n".repeat(140));
        for budget in [40_000, 36_000, 3_000, 1_000, 300] {
            let load = load(&place, "", options(&place).budget(MemoryBudget::Chars(budget)));
            assert!(chars(&load) <= budget, "{count} of {each} in {budget}: {}", chars(&load));
            let told = load.decisions.iter().filter(|decision| decision.subject == "memory").count();
            assert_eq!(told, 0, "{count} of {each} in {budget}");
        }
    }
}

#[test]
fn an_unlimited_budget_warns_and_cuts_nothing() {
    let place = Place::new();
    place.write("CLAUDE.md", "a line of text\n".repeat(4_000));
    let load = load(&place, "", options(&place).budget(MemoryBudget::Unlimited));
    assert_eq!(chars(&load), 59_999);
    assert_eq!(decision(&load, "memory").reason, "over_budget");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_cut_is_fair(
        lines in prop::collection::vec(0usize..120, 2..8),
        line in "[a-zé語]{1,30}",
        budget in 2_000usize..6_000,
    ) {
        let place = Place::new();
        for (n, count) in lines.iter().enumerate() {
            let dir = "d/".repeat(n);
            place.write(&format!("{dir}CLAUDE.md"), format!("{line}{n}\n").repeat(*count));
        }
        let cwd = "d/".repeat(lines.len() - 1);
        let load = |budget| load(&place, &cwd, options(&place).budget(budget));
        let (whole, cut) = (load(MemoryBudget::Unlimited), load(MemoryBudget::Chars(budget)));
        prop_assert!(chars(&cut) <= budget || chars(&whole) <= budget);
        let of = |file: &MemoryFile| whole.files.iter().find(|whole| whole.path == file.path).unwrap();
        let longest = cut.files.iter().filter(|cut| cut.text != of(cut).text)
            .map(|cut| cut.text.chars().count()).max().unwrap_or(usize::MAX);
        for cut in &cut.files {
            let whole = of(cut);
            if cut.text == whole.text {
                continue;
            }
            prop_assert!(whole.text.chars().count() > longest.min(budget), "no file below the cut is touched");
            for kept in cut.text.lines().filter(|kept| !kept.is_empty() && !kept.starts_with('[')) {
                prop_assert!(whole.text.lines().any(|line| line == kept), "cuts on line ends: {}", kept);
            }
        }
    }
}
