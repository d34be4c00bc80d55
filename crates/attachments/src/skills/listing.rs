//! A listing within its room: every name, and as much of the descriptions as fits.

use context_api::{Closed, Decision, ListedSkill, Outbox};
use context_text::{cut_chars, safe_line};

use super::SkillLimits;

/// Characters around a name in a listing: a dash, a blank, a line end.
const AROUND_NAME: usize = 3;
/// Characters between a name and its description.
const BEFORE_TEXT: usize = 2;
/// Characters of the mark behind a description that was cut.
const CUT_MARK: usize = 2;

/// A skill that is to be listed.
#[derive(Debug, Clone)]
pub(crate) struct Candidate<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) uses: u64,
}

/// The listing, in the order of the candidates. All names stay; descriptions are kept from the most used on. Whatever is
/// shortened is a decision.
pub(crate) fn listed(
    candidates: &[Candidate<'_>],
    room: usize,
    limits: &SkillLimits,
    out: &Outbox,
) -> Result<Vec<ListedSkill>, Closed> {
    let names: usize = candidates.iter().map(|one| one.name.chars().count() + AROUND_NAME).sum();
    if names > room {
        let detail =
            "The names alone take more than a listing may; all of them are there, without descriptions.";
        out.decide(Decision::cut("skill_listing", "names_over_budget", detail))?;
    }
    let mut left = room.saturating_sub(names);
    let mut skills = vec![ListedSkill::default(); candidates.len()];
    for place in most_used_first(candidates) {
        let (one, text) = (&candidates[place], flat(candidates[place].text));
        let shown = shown(&text, left, limits);
        let cut = text.chars().count() - shown.chars().count();
        if cut > 0 {
            out.decide(shortened(one.name, &text, shown, limits))?;
        }
        left = left.saturating_sub(cost(shown, cut));
        let cut = u64::try_from(cut).unwrap_or(u64::MAX);
        skills[place] = ListedSkill::default().name(one.name).description(shown).cut(cut);
    }
    Ok(skills)
}

fn most_used_first(candidates: &[Candidate<'_>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..candidates.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(candidates[*place].uses));
    places
}

/// White space in a row is one blank.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What of a text is shown in the room that is left.
fn shown<'a>(text: &'a str, left: usize, limits: &SkillLimits) -> &'a str {
    let whole = limits.entry_chars.min(left.saturating_sub(BEFORE_TEXT));
    if cut_chars(text, whole).len() == text.len() {
        return text;
    }
    let part = limits.entry_chars.min(left.saturating_sub(BEFORE_TEXT + CUT_MARK));
    if part < limits.least_chars { "" } else { cut_chars(text, part).trim_end() }
}

fn cost(shown: &str, cut: usize) -> usize {
    match (shown.is_empty(), cut > 0) {
        (true, _) => 0,
        (false, true) => shown.chars().count() + BEFORE_TEXT + CUT_MARK,
        (false, false) => shown.chars().count() + BEFORE_TEXT,
    }
}

fn shortened(name: &str, text: &str, shown: &str, limits: &SkillLimits) -> Decision {
    let left_out = u64::try_from(text.len() - shown.len()).unwrap_or(u64::MAX);
    let chars = shown.chars().count();
    let (reason, detail) = if chars + 1 >= limits.entry_chars {
        (
            "description_too_long",
            format!("Only the first {} characters of its description are listed.", limits.entry_chars),
        )
    } else if chars == 0 {
        ("listing_over_budget", "The listing has no room for its description; its name is there.".to_owned())
    } else {
        ("listing_over_budget", format!("The listing has room for {chars} characters of its description."))
    };
    Decision::cut(safe_line(name), reason, detail).bytes(left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(skills: &[ListedSkill]) -> usize {
        let line = |skill: &ListedSkill| {
            let cut = usize::try_from(skill.cut).unwrap_or(usize::MAX);
            skill.name.chars().count() + AROUND_NAME + cost(&skill.description, cut)
        };
        skills.iter().map(line).sum()
    }

    fn list(candidates: &[Candidate<'_>], room: usize) -> (Vec<ListedSkill>, Vec<Decision>) {
        let out = Outbox::new();
        let skills = listed(candidates, room, &SkillLimits::default(), &out).unwrap();
        (skills, out.close().decisions)
    }

    #[test]
    fn over_budget_the_most_used_keep_their_descriptions_and_all_names_stay() {
        let names: Vec<String> = (0..60).map(|number| format!("s{number:02}")).collect();
        let text = "d".repeat(1_000);
        let candidate = |(uses, name)| Candidate { name, text: &text, uses };
        let candidates: Vec<_> = (0..).zip(names.iter().map(String::as_str)).map(candidate).collect();
        let (skills, decisions) = list(&candidates, SkillLimits::default().listing_chars(200_000));
        assert_eq!(skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(), names);
        assert!(lines(&skills) <= 8_000, "{}", lines(&skills));
        let whole = skills.iter().filter(|skill| skill.cut == 0).map(|skill| skill.name.as_str());
        assert_eq!(whole.collect::<Vec<_>>(), ["s53", "s54", "s55", "s56", "s57", "s58", "s59"]);
        assert_eq!(decisions.len(), 53);
        assert!(decisions.iter().all(|decision| decision.reason == "listing_over_budget"));
    }

    #[test]
    fn one_long_description_is_cut_between_characters() {
        let text = "é".repeat(1_400) + " " + &"ü".repeat(400);
        let (skills, decisions) = list(&[Candidate { name: "long", text: &text, uses: 0 }], 1_000_000);
        assert_eq!(skills[0].description.chars().count(), 1_536);
        assert_eq!(skills[0].cut, 1_801 - 1_536);
        assert_eq!(decisions[0].reason, "description_too_long");
    }

    #[test]
    fn names_that_take_all_of_the_room_stay_and_it_is_told() {
        let candidates = ["first", "second"].map(|name| Candidate { name, text: "text", uses: 0 });
        let (skills, decisions) = list(&candidates, 10);
        assert_eq!(skills.iter().map(|skill| skill.name.as_str()).collect::<Vec<_>>(), ["first", "second"]);
        assert_eq!(decisions[0].reason, "names_over_budget");
        assert_eq!(decisions.len(), 3);
    }

    proptest! {
        #[test]
        fn a_listing_keeps_names_and_room(
            texts in proptest::collection::vec(("[a-z]{1,9}", "\\PC{0,300}", 0u64..5), 0..20),
            room in 0usize..3_000,
        ) {
            let candidates: Vec<Candidate<'_>> =
                texts.iter().map(|(name, text, uses)| Candidate { name, text, uses: *uses }).collect();
            let (skills, decisions) = list(&candidates, room);
            let names: usize = candidates.iter().map(|one| one.name.chars().count() + AROUND_NAME).sum();
            prop_assert_eq!(skills.len(), candidates.len());
            prop_assert!(lines(&skills) <= room.max(names));
            let cut = skills.iter().filter(|skill| skill.cut > 0).count();
            prop_assert_eq!(decisions.len(), cut + usize::from(names > room));
        }
    }
}
