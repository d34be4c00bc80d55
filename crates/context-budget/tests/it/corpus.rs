//! The estimate against exact counts of the texts in `benches/corpus`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use context_api::TokenCounter;
use context_budget::EstimateCounter;

/// What an estimate may be of an exact count, percent: of one text at least, and of a kind on average.
const TEXT: f64 = 90.0;
const KIND: std::ops::RangeInclusive<f64> = 85.0..=115.0;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/corpus"))
}

/// A text, and its tokens as `counts.txt` records them.
struct Counted {
    path: String,
    text: String,
    tokens: u64,
}

fn corpus() -> Vec<Counted> {
    let table = std::fs::read_to_string(root().join("counts.txt")).unwrap();
    let rows = table.lines().map(|line| line.split_once(' ').unwrap());
    rows.map(|(tokens, path)| Counted {
        path: path.to_owned(),
        text: std::fs::read_to_string(root().join(path)).unwrap(),
        tokens: tokens.parse().unwrap(),
    })
    .collect()
}

fn files() -> Vec<String> {
    let mut files = Vec::new();
    for kind in std::fs::read_dir(root()).unwrap().map(Result::unwrap).filter(|kind| kind.path().is_dir()) {
        for file in std::fs::read_dir(kind.path()).unwrap() {
            let name = file.unwrap().file_name();
            files.push(format!("{}/{}", kind.file_name().display(), name.display()));
        }
    }
    files.sort();
    files
}

#[test]
fn an_estimate_is_near_the_exact_count_and_never_far_below() {
    let mut kinds: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let (counter, mut report, mut wrong) = (EstimateCounter::default(), String::new(), Vec::new());
    for Counted { path, text, tokens } in corpus() {
        let percent = counter.text(&text) as f64 * 100.0 / tokens as f64;
        report.push_str(&format!("{percent:6.1} {path}\n"));
        wrong.extend((percent < TEXT).then(|| path.clone()));
        kinds.entry(path.split('/').next().unwrap().to_owned()).or_default().push(percent);
    }
    for (kind, percents) in &kinds {
        let average = percents.iter().sum::<f64>() / percents.len() as f64;
        report.push_str(&format!("{average:6.1} {kind} on average\n"));
        wrong.extend((!KIND.contains(&average)).then(|| kind.clone()));
    }
    assert!(wrong.is_empty(), "{}:\n{report}", wrong.join(", "));
    assert_eq!(
        kinds.into_keys().collect::<Vec<_>>(),
        ["base64", "cjk", "code", "english", "json", "languages", "minified"]
    );
}

#[test]
fn every_text_of_the_corpus_is_counted() {
    let mut counted: Vec<String> = corpus().into_iter().map(|one| one.path).collect();
    counted.sort();
    assert_eq!(counted, files());
}

#[cfg(feature = "o200k")]
mod exact {
    use context_budget::O200kCounter;

    use super::*;

    #[test]
    fn the_recorded_counts_are_those_of_the_vocabulary() {
        let counter = O200kCounter::new();
        let rows = files().into_iter().map(|path| {
            let text = std::fs::read_to_string(root().join(&path)).unwrap();
            format!("{} {path}\n", counter.text(&text))
        });
        let expected: String = rows.collect();
        let recorded = std::fs::read_to_string(root().join("counts.txt")).unwrap();
        assert!(recorded == expected, "benches/corpus/counts.txt should be:\n{expected}");
    }

    #[test]
    fn pictures_cost_as_by_the_estimate() {
        let size = (1_000, 750);
        assert_eq!(
            O200kCounter::new().image(size.0, size.1),
            EstimateCounter::default().image(size.0, size.1)
        );
    }

    #[test]
    fn long_runs_and_odd_texts_are_counted_whole() {
        let counter = O200kCounter::new();
        assert_eq!(counter.text(""), 0);
        assert_eq!(counter.text(&" ".repeat(10_000)) + counter.text("<|endoftext|>"), 79 + 7);
        let noise: String = (0..200_000u32).filter_map(|n| char::from_u32(n * 5 % 0x11_0000)).collect();
        assert!(counter.text(&noise) > 100_000 && counter.text(&"a".repeat(200_000)) > 10_000);
    }
}
