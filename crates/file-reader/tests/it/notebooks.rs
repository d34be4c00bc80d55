//! Notebooks.

use context_api::{ContentBlock, FileContent, FileNotebook, FileReader, ReadOutcome};
use context_testkit::Place;
use file_reader::ReadLimits;
use serde_json::json;

use crate::support::*;

fn read_as(content: &str, limits: ReadLimits) -> ReadOutcome {
    let place = Place::new();
    limited(limits).read(&whole(place.write("a.IPYNB", content))).expect("a read")
}

fn notebook(outcome: &ReadOutcome) -> &FileNotebook {
    match &outcome.content {
        FileContent::Notebook(notebook) => notebook,
        other => panic!("no notebook: {other:?}"),
    }
}

fn texts(outcome: &ReadOutcome) -> String {
    notebook(outcome)
        .blocks
        .iter()
        .map(|block| block.as_text().unwrap_or("<picture>"))
        .collect::<Vec<_>>()
        .join("\n--\n")
}

/// A red dot as PNG.
const DOT: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\n+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\n";

#[cfg(feature = "image")]
fn example() -> serde_json::Value {
    json!({
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "text"]},
            {"cell_type": "code", "source": "print(1)\nplot()", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["10%\r", "100%\r\n", "\u{1b}[31mred\u{1b}[0m\n"]},
                {"output_type": "display_data", "data": {"text/plain": ["<Figure>"], "image/png": DOT}},
                {"output_type": "execute_result", "data": {"text/html": "<b>1</b>", "text/plain": "1"}},
                {"output_type": "display_data", "data": {"application/x-widget": {}}},
            ]},
            {"cell_type": "code", "source": [], "outputs": [
                {"output_type": "error", "ename": "E", "evalue": "bad", "traceback": ["\u{1b}[0;31mE\u{1b}[0m: bad"]},
            ]},
        ],
    })
}

#[cfg(feature = "image")]
#[test]
fn cells_come_with_their_outputs_in_order() {
    let outcome = read_as(&example().to_string(), ReadLimits::default());
    insta::assert_snapshot!(texts(&outcome), @r"
    [Cell 1: markdown]
    # Title
    text
    [Cell 2: code, python]
    print(1)
    plot()
    [Output]
    100%
    red
    --
    <picture>
    --
    1
    (Output that can not be shown as text.)
    [Cell 3: code, python]
    [Output]
    E: bad
    ");
    let state = outcome.state.clone().unwrap();
    assert_eq!(
        (state.kind, state.is_whole(), &*notebook(&outcome).note),
        (context_api::StateKind::Other, true, "")
    );
}

#[test]
fn the_older_format_is_read_too() {
    let old = json!({"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1", "outputs": []}]}]});
    assert_eq!(texts(&read_as(&old.to_string(), ReadLimits::default())), "[Cell 1: code]\nx = 1");
}

#[test]
fn a_broken_notebook_is_text_and_a_decision() {
    for content in ["{\"cells\": [", "[]", "{}", "{\"cells\": 1}", "no json"] {
        let outcome = read_as(content, ReadLimits::default());
        assert_eq!((&*text(&outcome).text, reasons(&outcome)), (content, vec!["notebook_broken"]));
    }
    assert_eq!(read_as("", ReadLimits::default()).content, FileContent::Empty);
}

#[test]
fn odd_cells_cost_nothing_but_themselves() {
    let odd = r#"{"cells": [1, null, {}, {"cell_type": "raw", "source": "half \ud83d"}, {"cell_type": "code", "outputs": [{}, 3]}]}"#;
    let outcome = read_as(odd, ReadLimits::default());
    assert!(texts(&outcome).contains("half \u{fffd}"), "{}", texts(&outcome));
}

#[test]
fn lines_are_those_of_the_file() {
    let place = Place::new();
    let path = place.write("a.ipynb", "{\n\"cells\": []\n}\n");
    assert_eq!(&*text(&reader().read(&lines(path, 2, 2)).unwrap()).text, "\"cells\": []\n");
}

#[test]
fn long_notebooks_and_outputs_are_cut_with_a_note() {
    let cell = |n: usize| {
        json!({"cell_type": "code", "source": format!("x{n} = 1\n").repeat(50), "outputs": [
            {"output_type": "stream", "text": "row of output\n".repeat(9_000)},
            {"output_type": "stream", "text": "a".repeat(9_000)},
        ]})
    };
    let long = json!({"cells": (0..40).map(cell).collect::<Vec<_>>()});
    let outcome = read_as(&long.to_string(), ReadLimits::default());
    // Lines are counted one by one, each rounded: up to an eighth below the whole.
    assert!(context_text::estimate_tokens(&texts(&outcome)) <= 28_250);
    assert!(texts(&outcome).lines().all(|line| line.len() <= 2_000));
    let note = &*notebook(&outcome).note;
    assert!(note.starts_with("The notebook is too long to be shown at once: these are cells 1 to"), "{note}");
    assert_eq!(reasons(&outcome), ["notebook_too_long"]);
    assert!(outcome.state.unwrap().is_partial_view);
}

#[test]
fn pictures_are_counted_and_damaged_ones_named() {
    let output = |data: &str| json!({"output_type": "display_data", "data": {"image/png": data}});
    let many = json!({"cells": [{"cell_type": "code", "source": "", "outputs": [output(DOT), output(DOT), output("%%")]}]});
    let outcome = read_as(&many.to_string(), ReadLimits::default().notebook_images(1));
    let pictures =
        notebook(&outcome).blocks.iter().filter(|block| matches!(block, ContentBlock::Image(_))).count();
    assert_eq!(pictures, usize::from(cfg!(feature = "image")));
    assert_eq!(texts(&outcome).matches("is not shown").count(), 3 - pictures);
}
