//! Which skills fit an input, by the words that they share.

use std::collections::{BTreeMap, BTreeSet};

/// How much more a word in the name weighs than one in the description.
const NAME_WEIGHT: f64 = 2.0;

/// How well something fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Match {
    /// Its place among what was asked for.
    pub(crate) place: usize,
    /// Shared words, rare ones more.
    pub(crate) score: f64,
    /// Distinct words shared.
    pub(crate) words: usize,
    /// Whether one of them stands in the name.
    pub(crate) in_name: bool,
}

/// Those of `items` (name and text) that share a word with `input`, the best first; equals stay in their order.
pub(crate) fn ranked<'a>(input: &str, items: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Match> {
    let asked = words(input);
    let shared = |(name, text): (&str, &str)| {
        let in_name: BTreeSet<String> = words(name).intersection(&asked).cloned().collect();
        let in_text: BTreeSet<String> = words(text).intersection(&asked).cloned().collect();
        (in_name, in_text)
    };
    let items: Vec<(BTreeSet<String>, BTreeSet<String>)> = items.into_iter().map(shared).collect();
    let mut holders: BTreeMap<&str, u32> = BTreeMap::new();
    for word in items.iter().flat_map(|(name, text)| name.union(text)) {
        *holders.entry(word).or_default() += 1;
    }
    let all = f64::from(u32::try_from(items.len()).unwrap_or(u32::MAX));
    let weight =
        |word: &String| (1.0 + all / f64::from(holders.get(word.as_str()).copied().unwrap_or(1))).ln();
    let scored = items.iter().enumerate().map(|(place, (name, text))| Match {
        place,
        score: name.iter().map(weight).sum::<f64>() * NAME_WEIGHT
            + text.difference(name).map(weight).sum::<f64>(),
        words: name.union(text).count(),
        in_name: !name.is_empty(),
    });
    let mut matches: Vec<Match> = scored.filter(|one| one.words > 0).collect();
    matches.sort_by(|a, b| b.score.total_cmp(&a.score));
    matches
}

fn words(text: &str) -> BTreeSet<String> {
    crate::words::words(text).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_and_names_weigh_more() {
        let items = [
            ("release", "Tags a version and writes the changelog"),
            ("notes", "Writes notes about a release"),
            ("review", "Reads a change"),
            ("deploy-web", "Ships the web pages"),
        ];
        let places = |input| ranked(input, items).iter().map(|one| one.place).collect::<Vec<_>>();
        assert_eq!(places("please make a RELEASE with its changelog"), [0, 1]);
        assert_eq!(places("deploy, then review"), [2, 3], "equals stay in their order");
        assert_eq!(places("what is this for, and when?"), Vec::<usize>::new());
        assert_eq!(places(""), Vec::<usize>::new());
    }
}
