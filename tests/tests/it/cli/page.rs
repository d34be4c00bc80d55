//! `ctx context --html`: the page, looked at by a browser.

use std::io::Write as _;
use std::path::PathBuf;

use context_testkit::Place;
use serde_json::Value;

use super::project;
use crate::browser::Browser;
use crate::scenarios::promises::decoded;
use crate::support::ctx;

/// A page with much to show, and its figures.
fn page(place: &Place) -> (PathBuf, Value) {
    place.write("evil</script><b>.md", "x\n");
    place.write(
        "pkg/long/name/of/a/directory/that/goes/on/and-on-and-on-without-any-blank-in-it.rs",
        "fn b() {}\n",
    );
    let file = place.path("usage.html");
    let prompt = "Hello @evil</script><b>.md @pkg/a.rs \
                  @pkg/long/name/of/a/directory/that/goes/on/and-on-and-on-without-any-blank-in-it.rs";
    let usage = ctx(place, &["context", prompt, "--html", &file.to_string_lossy(), "--json"]).json();
    (file, usage)
}

/// Contrast of each field's text against its ground, by the formula of WCAG 2; the lowest.
const CONTRAST: &str = r"(() => {
  const light = (c) => {
    const [r, g, b] = c.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, two) => (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  const of = (e, ground) => ratio(light(getComputedStyle(e).color), light(getComputedStyle(ground).backgroundColor));
  const fields = [...document.querySelectorAll('#map button')].map((e) => of(e, e));
  const texts = [...document.querySelectorAll('p, td, th, h1')].map((e) => of(e, document.body));
  return Math.min(...fields, ...texts);
})()";

const WIDEST: &str = "Math.max(document.documentElement.scrollWidth, \
                      ...[...document.body.querySelectorAll('*')].map((e) => Math.ceil(e.getBoundingClientRect().right)))";

const TOO_WIDE: &str = "[...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > innerWidth)\
                        .map((e) => e.tagName + ' ' + e.textContent.slice(0, 80)).join('; ')";

const FOCUSED: &str =
    "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent";

#[test]
fn the_page_shows_the_figures_in_any_window_by_keyboard_and_without_network() {
    let place = project();
    let (file, usage) = page(&place);
    let Some(mut browser) = Browser::start() else {
        // Past the harness, which would keep it to itself.
        let _nobody_reads =
            writeln!(std::io::stderr(), "skipped: there is no chromium, so nobody looked at the page");
        return;
    };
    browser.open(&file);
    for (width, height, scheme) in [(1200, 900, "light"), (360, 800, "dark"), (360, 800, "light")] {
        browser.look(width, height, scheme);
        // For people who want to see it.
        let picture = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("usage-{width}-{scheme}.png"));
        std::fs::write(picture, decoded(&browser.picture())).expect("a place for pictures");
        figures(&mut browser, &usage);
        colours(&mut browser, scheme);
        let widest = browser.evaluate(WIDEST).as_u64().expect("a number");
        assert!(widest <= u64::from(width), "{widest} of {width} pixels: {}", browser.evaluate(TOO_WIDE));
    }
    keyboard(&mut browser, &usage);
    let (asked, complaints) = browser.asked();
    assert_eq!(asked, [format!("file://{}", file.display()).replace('<', "%3C").replace('>', "%3E")]);
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn grouped(number: &Value) -> String {
    let digits = number.as_u64().expect("a number").to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

fn figures(browser: &mut Browser, usage: &Value) {
    let sum = browser.evaluate("document.getElementById('sum').textContent");
    let [total, window, free] = ["total", "window", "free"].map(|key| grouped(&usage[key]));
    assert_eq!(sum, format!("{total} of {window} tokens, {free} free"));
    let rows = usage["rows"].as_array().expect("rows").iter().filter(|row| row["tokens"] != 0);
    let mut expected: Vec<_> = rows.collect();
    expected.sort_by_key(|row| std::cmp::Reverse(row["tokens"].as_u64()));
    let expected: Vec<String> = expected
        .iter()
        .map(|row| {
            format!(
                "{} {} {}",
                row["label"].as_str().expect("a label"),
                grouped(&row["tokens"]),
                grouped(&row["bytes"])
            )
        })
        .collect();
    let shown = browser.evaluate(
        "[...document.querySelectorAll('#rows tr')].map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent).join(' '))",
    );
    assert_eq!(shown, serde_json::json!(expected));
    // The fields of the map cover it, as far as rounding goes.
    let covered = browser.evaluate(
        "[...document.querySelectorAll('#map button')].reduce((sum, e) => sum + e.offsetWidth * e.offsetHeight, 0) \
         / (document.getElementById('map').clientWidth * document.getElementById('map').clientHeight)",
    );
    assert!(covered.as_f64().is_some_and(|part| (0.95..1.05).contains(&part)), "{covered}");
    assert_eq!(browser.evaluate("document.querySelectorAll('b').length"), 0, "a name became markup");
}

fn colours(browser: &mut Browser, scheme: &str) {
    let ground = browser.evaluate("getComputedStyle(document.body).backgroundColor");
    let expected = if scheme == "dark" { "rgb(20, 23, 27)" } else { "rgb(255, 255, 255)" };
    assert_eq!(ground, expected);
    let contrast = browser.evaluate(CONTRAST).as_f64().expect("a ratio");
    assert!(contrast >= 4.5, "{contrast} in {scheme} colours");
}

fn keyboard(browser: &mut Browser, usage: &Value) {
    let label = |row: &Value| row["label"].as_str().expect("a label").to_owned();
    let mut rows: Vec<&Value> = usage["rows"].as_array().expect("rows").iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row["tokens"].as_u64()));
    let begins = |browser: &mut Browser, with: &str| {
        let focused = browser.evaluate(FOCUSED);
        assert!(
            focused.as_str().is_some_and(|text| text.starts_with(with)),
            "{focused} has the focus, not {with}"
        );
    };
    browser.press("Tab");
    begins(browser, "All");
    browser.press("Tab");
    begins(browser, &label(rows[0]));
    browser.press("ArrowRight");
    begins(browser, &label(rows[1]));
    let outline = browser.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "one sees where one is");
    browser.press("ArrowLeft");
    begins(browser, &label(rows[0]));
    browser.press("Enter");
    let path = "[...document.querySelectorAll('#path button')].map((e) => e.textContent)";
    assert_eq!(browser.evaluate(path), serde_json::json!(["All", label(rows[0])]));
    let mut children: Vec<&Value> = rows[0]["children"].as_array().expect("children").iter().collect();
    children.sort_by_key(|row| std::cmp::Reverse(row["tokens"].as_u64()));
    begins(browser, &label(children[0]));
    browser.press("Escape");
    assert_eq!(browser.evaluate(path), serde_json::json!(["All"]));
    begins(browser, &label(rows[0]));
}
