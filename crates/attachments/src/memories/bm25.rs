//! Which texts fit some words best: Okapi BM25.

use std::collections::{BTreeMap, BTreeSet};

use crate::words::words;

/// One text to be ranked, in two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document<'a> {
    /// What names it: counts as often as the weight says.
    pub(crate) title: &'a str,
    /// How it begins.
    pub(crate) body: &'a str,
}

/// How much words count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weights {
    /// How soon a word that is repeated counts no more.
    pub(crate) saturation: f64,
    /// How much a long text is held back, from 0 to 1.
    pub(crate) length: f64,
    /// How often a word of the title counts.
    pub(crate) title: u32,
    /// Distinct words that a text has to share whose title shares none.
    pub(crate) least_words: usize,
}

/// The documents that fit, best first, by their places; of equals the earlier one. Linear in the size of all texts.
pub(crate) fn ranked(asked: &str, documents: &[Document<'_>], weights: &Weights) -> Vec<usize> {
    let asked: BTreeSet<String> = words(asked).into_iter().collect();
    let counted: Vec<Counted> = documents.iter().map(|one| Counted::of(one, &asked, weights)).collect();
    let corpus = Corpus::of(&counted);
    let mut scored: Vec<(usize, f64)> = counted
        .iter()
        .enumerate()
        .filter(|(_, one)| one.in_title || one.shared.len() >= weights.least_words.max(1))
        .map(|(place, one)| (place, corpus.score(one, weights)))
        .collect();
    scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    scored.into_iter().map(|(place, _)| place).collect()
}

/// What counts of one document.
struct Counted {
    /// Words in all.
    length: u64,
    /// How often it has each word that was asked for.
    shared: BTreeMap<String, u64>,
    in_title: bool,
}

impl Counted {
    fn of(document: &Document<'_>, asked: &BTreeSet<String>, weights: &Weights) -> Self {
        let mut counted = Self { length: 0, shared: BTreeMap::new(), in_title: false };
        let title = u64::from(weights.title.max(1));
        counted.add(document.title, title, asked);
        counted.in_title = !counted.shared.is_empty();
        counted.add(document.body, 1, asked);
        counted
    }

    fn add(&mut self, text: &str, times: u64, asked: &BTreeSet<String>) {
        for word in words(text) {
            self.length += times;
            if asked.contains(&word) {
                *self.shared.entry(word).or_default() += times;
            }
        }
    }
}

/// What all documents together say.
struct Corpus<'a> {
    documents: f64,
    /// Words of a document on average, at least one.
    average: f64,
    holders: BTreeMap<&'a str, u32>,
}

impl<'a> Corpus<'a> {
    fn of(counted: &'a [Counted]) -> Self {
        let mut holders: BTreeMap<&str, u32> = BTreeMap::new();
        for word in counted.iter().flat_map(|one| one.shared.keys()) {
            *holders.entry(word).or_default() += 1;
        }
        let documents = number(counted.len() as u64);
        let all = number(counted.iter().map(|one| one.length).sum());
        Self { documents, average: (all / documents.max(1.0)).max(1.0), holders }
    }

    /// The sum runs in the order of the words, so that the same texts give the same bits.
    fn score(&self, one: &Counted, weights: &Weights) -> f64 {
        let held_back = 1.0 - weights.length + weights.length * number(one.length) / self.average;
        let of_word = |(word, times): (&String, &u64)| {
            let times = number(*times);
            self.rarity(word) * times * (weights.saturation + 1.0) / (times + weights.saturation * held_back)
        };
        one.shared.iter().map(of_word).sum()
    }

    /// More for a word that few documents have; never less than nothing.
    fn rarity(&self, word: &str) -> f64 {
        let holders = f64::from(self.holders.get(word).copied().unwrap_or_default());
        (1.0 + (self.documents - holders + 0.5) / (holders + 0.5)).ln()
    }
}

fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WEIGHTS: Weights = Weights { saturation: 1.2, length: 0.75, title: 3, least_words: 2 };

    fn rank(asked: &str, documents: &[(&str, &str)]) -> Vec<usize> {
        let documents: Vec<Document<'_>> =
            documents.iter().map(|(title, body)| Document { title, body }).collect();
        ranked(asked, &documents, &WEIGHTS)
    }

    #[test]
    fn titles_and_rare_words_win() {
        let documents = [
            ("testing", "How the tests of the server are run, and which server they need"),
            ("deploy", "Ships the server to production"),
            ("style", "Tabs, not spaces"),
            ("server", "Where the server lies"),
        ];
        assert_eq!(rank("how do we deploy the server?", &documents), [1, 3]);
        assert_eq!(rank("tabs and spaces", &documents), [2], "two words of the text are enough");
        assert_eq!(rank("tabs?", &documents), Vec::<usize>::new(), "one word of the text is not");
        assert_eq!(rank("what is it for", &documents), Vec::<usize>::new());
        assert_eq!(rank("", &documents), Vec::<usize>::new());
        assert_eq!(rank("deploy", &[]), Vec::<usize>::new());
    }

    #[test]
    fn scripts_without_spaces_are_ranked_too() {
        let documents = [("风格", "使用制表符"), ("部署", "服务器在东京")];
        assert_eq!(rank("怎么部署到服务器", &documents), [1]);
    }

    #[test]
    fn of_equals_the_earlier_one_comes_first() {
        assert_eq!(rank("deploy", &[("deploy", "x"), ("deploy", "x"), ("deploy", "x")]), [0, 1, 2]);
    }

    #[test]
    fn a_word_that_all_have_still_counts_for_something() {
        let documents = [("server deploy", ""), ("server", ""), ("server style", "")];
        let found = rank("server", &documents);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], 1, "the shortest is about nothing else");
    }

    proptest! {
        #[test]
        fn any_texts_are_ranked_the_same_way_twice_and_each_place_once(
            asked in any::<String>(),
            documents in proptest::collection::vec((any::<String>(), any::<String>()), 0..12),
        ) {
            let documents: Vec<(&str, &str)> =
                documents.iter().map(|(title, body)| (title.as_str(), body.as_str())).collect();
            let found = rank(&asked, &documents);
            prop_assert_eq!(&found, &rank(&asked, &documents));
            let places: BTreeSet<usize> = found.iter().copied().collect();
            prop_assert_eq!(places.len(), found.len());
            prop_assert!(found.iter().all(|place| *place < documents.len()));
        }

        #[test]
        fn more_of_a_word_never_makes_a_text_fit_less(times in 1usize..20, others in 1usize..5) {
            let few = "deploy ".repeat(times) + "server";
            let more = "deploy ".repeat(times + 1) + "server";
            let other = ("style", "tabs spaces");
            let mut documents = vec![("a", few.as_str()), ("b", more.as_str())];
            documents.extend(std::iter::repeat_n(other, others));
            // Without a penalty for length, repetition alone decides.
            let flat = Weights { length: 0.0, ..WEIGHTS };
            let documents: Vec<Document<'_>> =
                documents.iter().map(|(title, body)| Document { title, body }).collect();
            prop_assert_eq!(ranked("deploy server", &documents, &flat), [1, 0]);
        }
    }
}
