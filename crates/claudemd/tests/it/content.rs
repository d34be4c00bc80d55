//! Bytes to the text that is shown.

use context_api::Verdict;
use context_testkit::Place;

use crate::support::*;

fn shown(bytes: impl AsRef<[u8]>) -> context_api::MemoryLoad {
    let place = Place::new();
    place.write("CLAUDE.md", bytes);
    load_proj(&place)
}

#[test]
fn comments_between_blocks_go_and_all_others_stay() {
    let place = Place::new();
    let text = "MARK_A\n\n<!-- MARK_BLOCK\n@hidden.md\n-->\n\n```html\n<!-- MARK_FENCED -->\n```\n\nSpan `<!-- MARK_SPAN -->` stays, <!-- MARK_INLINE --> too.\n";
    place.write("CLAUDE.md", text);
    place.write("hidden.md", "MARK_HIDDEN\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_A", "MARK_FENCED", "MARK_SPAN", "MARK_INLINE"]);
    let file = &load.files[0];
    assert!(file.content_differs_from_disk);
    assert_eq!(file.raw.as_deref(), Some(text));
}

#[test]
fn what_is_taken_out_and_what_is_kept() {
    for (text, expected) in [
        ("a\n\n\n", "a"),
        ("  a\t \r\n \r\n", "  a"),
        ("\u{feff}a\r\nb\r\n", "a\r\nb"),
        ("---\ntitle: x\n---\na\n", "a"),
        ("---\ntitle: x\nnot closed\n", "---\ntitle: x\nnot closed"),
        ("<!-- x -->a\n", "a"),
        ("<!-- x --><!-- y --> a\n", " a"),
        ("<!-->a\n<!--->b\n", "a\nb"),
        ("<!-- not closed\na\n", "<!-- not closed\na"),
        ("> <!-- x\n> y -->\n> a\n", "> \n> a"),
        ("- <!-- x -->\n- a\n", "- \n- a"),
        ("a\n<!-- x -->\nb\n", "a\n\nb"),
        ("    <!-- code -->\n", "    <!-- code -->"),
        ("é<!-- x -->\n", "é<!-- x -->"),
    ] {
        assert_eq!(&*shown(text).files[0].text, expected, "{text:?}");
    }
}

#[test]
fn a_file_with_nothing_to_say_is_left_out() {
    for text in ["", "\n \t\r\n", "<!-- x -->\n", "---\na: b\n---\n\n<!-- x -->", "\u{feff}"] {
        let load = shown(text);
        assert_eq!(load.files, []);
        assert_eq!(decision(&load, "CLAUDE.md").reason, "empty", "{text:?}");
    }
}

#[test]
fn only_trailing_blanks_are_no_difference_from_the_disk() {
    for (text, differs) in [
        ("a", false),
        ("a\n\n", false),
        ("\u{feff}a\n", false),
        ("a <!-- x -->\n", false),
        ("a\n<!-- x -->\n", true),
        ("---\nx: y\n---\na\n", true),
    ] {
        let load = shown(text);
        assert_eq!(load.files[0].content_differs_from_disk, differs, "{text:?}");
        assert_eq!(load.files[0].raw.is_some(), differs, "{text:?}");
    }
}

#[test]
fn one_bad_byte_costs_itself_only() {
    let load = shown(b"MARK_START caf\xE9 MARK_END\n");
    assert_eq!(&*load.files[0].text, "MARK_START caf\u{fffd} MARK_END");
    assert!(load.files[0].content_differs_from_disk);
    let decision = decision(&load, "CLAUDE.md");
    assert_eq!((decision.verdict, &*decision.reason), (Verdict::Included, "invalid_utf8"));
}

#[test]
fn utf_16_with_a_mark_is_text_and_other_zeros_are_none() {
    let utf16 = |text: &str| -> Vec<u8> {
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    let load = shown(utf16("MARK_U é\n"));
    assert_eq!(&*load.files[0].text, "MARK_U é");
    let load = shown(b"MARK_A\0\0\0\n");
    assert_eq!(load.files, []);
    assert_eq!(decision(&load, "CLAUDE.md").reason, "binary");
}

#[test]
fn a_file_of_more_than_four_mebibytes_is_named_with_its_size() {
    let place = Place::new();
    place.write("CLAUDE.md", format!("MARK_HUGE\n{}", "x".repeat(4 * 1024 * 1024)));
    place.write("CLAUDE.local.md", "MARK_LOCAL\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_LOCAL"]);
    let decision = decision(&load, "CLAUDE.md");
    assert_eq!((&*decision.reason, decision.bytes), ("too_large", Some(4 * 1024 * 1024 + 10)));
}
