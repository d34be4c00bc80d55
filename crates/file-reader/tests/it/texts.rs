//! Text: encodings, ranges, cuts.

use context_api::{FileContent, FileReader, LineSpan, ReadErrorKind, StateKind};
use context_testkit::Place;
use context_text::{content_hash, estimate_tokens, lines as lines_of, numbered, parse_numbered};
use file_reader::ReadLimits;
use proptest::prelude::*;

use crate::support::*;

fn utf16(text: &str, mark: bool, little: bool) -> Vec<u8> {
    let unit = |u: u16| if little { u.to_le_bytes() } else { u.to_be_bytes() };
    let mark = mark.then_some(0xFEFF);
    mark.into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn every_encoding_gives_the_same_text_without_its_mark() {
    let content = "name;größe\r\n“x”;1\r\n";
    let cases: [(Vec<u8>, &str); 7] = [
        (content.as_bytes().to_vec(), "utf-8"),
        ([b"\xEF\xBB\xBF", content.as_bytes()].concat(), "utf-8"),
        (utf16(content, true, true), "utf-16le"),
        (utf16(content, true, false), "utf-16be"),
        (utf16("name;gr\r\nx;1\r\n", false, true), "utf-16le"),
        (utf16("name;gr\r\nx;1\r\n", false, false), "utf-16be"),
        (b"name;gr\xF6\xDFe\r\n\x93x\x94;1\r\n".to_vec(), "windows-1252"),
    ];
    for (bytes, encoding) in cases {
        let (_place, path) = with_file(&bytes);
        let outcome = read(&path);
        let text = text(&outcome);
        let expected =
            if bytes.len() < 40 && encoding.starts_with("utf-16") { "name;gr\r\nx;1\r\n" } else { content };
        assert_eq!(
            (&*text.text, &*text.encoding, &*text.line_ends),
            (expected, encoding, "crlf"),
            "{encoding}"
        );
        assert_eq!(outcome.state.unwrap().hash, content_hash(expected.as_bytes()), "{encoding}");
        assert!(outcome.decisions.is_empty(), "{encoding}");
    }
}

#[test]
fn a_bad_byte_costs_no_more_than_itself_and_is_a_decision() {
    let (_place, path) = with_file(b"caf\xC3\xA9 START caf\xE9 END\n");
    let outcome = read(path);
    assert_eq!(&*text(&outcome).text, "café START caf\u{fffd} END\n");
    assert_eq!(reasons(&outcome), ["invalid_bytes_replaced"]);
}

#[test]
fn line_ends_are_kept_and_named() {
    for (content, ends, total) in [
        ("a", "none", 1),
        ("a\n", "lf", 1),
        ("a\r\nb\r\n", "crlf", 2),
        ("a\r\nb\nc", "mixed", 3),
        ("a\rb", "none", 1),
    ] {
        let (_place, path) = with_file(content);
        let outcome = read(path);
        let text = text(&outcome);
        assert_eq!((&*text.text, &*text.line_ends, text.total_lines), (content, ends, Some(total)));
    }
}

#[test]
fn the_state_of_a_whole_read_is_whole() {
    let (_place, path) = with_file("one\ntwo\n");
    let outcome = read(&path);
    let state = outcome.state.unwrap();
    assert_eq!((state.path.clone(), outcome.path), (path.clone(), path.clone()));
    assert_eq!(
        (state.content.as_deref(), state.kind, state.is_whole()),
        (Some("one\ntwo\n"), StateKind::Text, true)
    );
    assert_eq!(state.fingerprint.len, 8);
    assert_eq!(state.read_at.to_string(), "2026-04-25T12:00:00Z");
    assert_eq!(state.hash, content_hash(b"one\ntwo\n"));
}

#[test]
fn empty_files_say_so_and_have_a_state() {
    for content in [&b""[..], b"\xEF\xBB\xBF"] {
        let (_place, path) = with_file(content);
        let outcome = read(&path);
        assert_eq!(outcome.content, FileContent::Empty);
        assert_eq!(outcome.state.unwrap().content.as_deref(), Some(""));
        assert_eq!(kind_of_error(&reader(), &lines(path, 1, 2)), ReadErrorKind::EmptySelection { lines: 0 });
    }
}

#[test]
fn ranges_are_turned_clamped_and_never_empty() {
    let (_place, path) = with_file("1\r\n2\r\n3\r\n4\r\n5");
    for (start, end, expected, first) in [
        (2, Some(3), "2\r\n3\r\n", 2),
        (3, Some(2), "2\r\n3\r\n", 2),
        (4, None, "4\r\n5", 4),
        (5, Some(99), "5", 5),
        (0, Some(1), "1\r\n", 1),
        (2, Some(2), "2\r\n", 2),
    ] {
        let outcome = reader().read(&lines(&path, start, end)).unwrap();
        let text = text(&outcome);
        assert_eq!(
            (&*text.text, text.first_line, text.total_lines),
            (expected, first, Some(5)),
            "{start}-{end:?}"
        );
        let state = outcome.state.unwrap();
        assert!(!state.is_whole() && !state.is_partial_view, "{start}-{end:?}");
        assert_eq!(state.content.as_deref(), Some("1\r\n2\r\n3\r\n4\r\n5"));
    }
    for (start, end) in [(6, None), (6, Some(9)), (u64::MAX, None)] {
        let error = kind_of_error(&reader(), &lines(&path, start, end));
        assert_eq!(error, ReadErrorKind::EmptySelection { lines: 5 });
    }
}

#[test]
fn a_range_that_is_the_whole_file_is_a_whole_read() {
    let (_place, path) = with_file("1\n2\n");
    for (start, end) in [(1, Some(2)), (1, None), (0, Some(9))] {
        assert!(reader().read(&lines(&path, start, end)).unwrap().state.unwrap().is_whole());
    }
}

#[test]
fn the_whole_file_comes_after_a_part_of_it_was_read() {
    let rows: String = (1..=40).map(|n| format!("row{n}\n")).collect();
    let (_place, path) = with_file(&rows);
    let reader = reader();
    assert_eq!(&*text(&reader.read(&lines(&path, 1, 5)).unwrap()).text, "row1\nrow2\nrow3\nrow4\nrow5\n");
    assert_eq!(&*text(&reader.read(&whole(&path)).unwrap()).text, rows);
}

#[test]
fn a_file_within_the_tokens_comes_whole_whatever_its_lines() {
    let many_lines = "x\n".repeat(9_000);
    let long_line = format!("{}\n", "word ".repeat(9_000));
    for content in [many_lines, long_line] {
        assert!(estimate_tokens(&content) <= 25_000);
        let (_place, path) = with_file(&content);
        let outcome = read(path);
        assert_eq!(&*text(&outcome).text, content);
        assert_eq!(text(&outcome).note, "");
    }
}

#[test]
fn a_longer_file_comes_by_its_first_lines_with_a_note() {
    let content: String = (1..=5_000).map(|n| format!("let v{n} = make({n});\n")).collect();
    let (_place, path) = with_file(&content);
    let outcome = read(&path);
    let text = text(&outcome);
    assert_eq!(text.text.lines().count(), 2_000);
    assert!(content.starts_with(&*text.text));
    insta::assert_snapshot!(text.note, @"The file is too long to be shown at once: these are lines 1 to 2000 of 5000. To read on, ask for lines from 2001 on.");
    assert_eq!(reasons(&outcome), ["text_too_long"]);
    let state = outcome.state.unwrap();
    assert!(state.is_partial_view && state.lines.is_none());
    assert_eq!(state.hash, content_hash(content.as_bytes()));
    let rest = reader().read(&lines(&path, 2_001, None)).unwrap();
    assert!(crate::support::text(&rest).text.starts_with("let v2001 "));
}

#[test]
fn lines_of_a_longer_file_stay_within_the_tokens_and_are_cut() {
    let content = format!("{}\n{}", "日本".repeat(40_000), "word ".repeat(600)).repeat(50);
    let (_place, path) = with_file(&content);
    let outcome = read(path);
    let text = text(&outcome);
    assert!(estimate_tokens(&text.text) <= 25_000);
    assert!(text.text.lines().count() > 5, "{}", text.text.lines().count());
    assert!(text.text.lines().all(|line| line.chars().count() <= 2_000));
    assert!(text.note.contains("only the first 2000 characters are shown"), "{}", text.note);
}

#[test]
fn a_single_line_of_20_megabytes_is_shown_by_its_beginning() {
    let (_place, path) = with_file("a".repeat(20_000_000));
    let outcome = read(path);
    let text = text(&outcome);
    assert_eq!((text.text.len(), text.total_lines), (2_000, Some(1)));
    insta::assert_snapshot!(text.note, @"The file is too long to be shown at once: these are lines 1 to 1 of 1. Of line 1 only the first 2000 characters are shown; search in the file for what you need.");
    let state = outcome.state.unwrap();
    assert!(state.is_partial_view && state.content.is_none());
}

#[test]
fn text_that_costs_no_tokens_does_not_come_whole_all_the_same() {
    let (_place, path) = with_file(" ".repeat(3_000_000));
    let outcome = read(path);
    assert_eq!(text(&outcome).text.len(), 2_000);
}

#[test]
fn even_the_dearest_first_line_is_shown_in_part() {
    let (_place, path) = with_file("🔥".repeat(5_000));
    let outcome = limited(ReadLimits::default().tokens(100)).read(&whole(path)).unwrap();
    let shown = &*text(&outcome).text;
    assert!(!shown.is_empty() && estimate_tokens(shown) <= 100);
}

#[test]
fn a_file_beyond_everything_is_not_read_to_its_end() {
    let limits = ReadLimits::default().file_bytes(100_000).head_bytes(10_000);
    let rows: String = (1..=20_000).map(|n| format!("row {n}\n")).collect();
    let (_place, path) = with_file(&rows);
    let outcome = limited(limits).read(&whole(&path)).unwrap();
    let shown = text(&outcome);
    assert!(rows.starts_with(&*shown.text) && shown.text.ends_with('\n') && shown.text.len() <= 10_000);
    assert_eq!(shown.total_lines, None);
    assert!(
        shown.note.contains("too long to be read to its end") && shown.note.contains("To read on"),
        "{}",
        shown.note
    );
    assert_eq!(reasons(&outcome), ["text_too_long"]);
    assert!(outcome.state.unwrap().is_partial_view);
    let part = limited(limits).read(&lines(&path, 9_000, 9_002)).unwrap();
    assert_eq!(&*text(&part).text, "row 9000\nrow 9001\nrow 9002\n");
    assert_eq!(text(&part).first_line, 9_000);
    let behind = kind_of_error(&limited(limits), &lines(&path, 19_999, None));
    assert_eq!(behind, ReadErrorKind::TooLarge { size: rows.len() as u64 });
}

#[test]
fn a_torn_character_at_the_end_of_a_head_is_not_shown() {
    let limits = ReadLimits::default().file_bytes(1_000).head_bytes(100).line_chars(1_000);
    let (_place, path) = with_file("日".repeat(1_000));
    let outcome = limited(limits).read(&whole(&path)).unwrap();
    assert_eq!(&*text(&outcome).text, "日".repeat(33));
}

#[test]
fn binary_files_are_named_by_content_and_never_shown() {
    let place = Place::new();
    let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\xFE\xFF\xFD\xFC\0\x01";
    for (name, bytes) in [("app.txt", &elf[..]), ("mixed.log", b"ok\0\0more\x01\x02\x0A")] {
        let outcome = read(place.write(name, bytes));
        let FileContent::Binary(reference) = &outcome.content else { panic!("{name}") };
        assert_eq!(reference.size, bytes.len() as u64);
        assert!(reference.kind.starts_with("binary file"), "{}", reference.kind);
        assert_eq!(outcome.state, None);
    }
    assert!(!text(&read(place.write("t.bin", "text\n"))).text.is_empty());
}

#[test]
fn a_zero_character_deep_in_a_text_is_shown_visibly() {
    let content = format!("{}\n\0end\n", "word ".repeat(3_000));
    let (_place, path) = with_file(&content);
    let outcome = read(path);
    assert!(text(&outcome).text.ends_with("\n\u{2400}end\n"));
    assert_eq!(reasons(&outcome), ["zero_characters_replaced"]);
    assert!(outcome.state.unwrap().is_partial_view);
}

#[test]
fn a_line_that_is_all_there_is_not_said_to_be_cut() {
    let (_place, path) = with_file("日日\n");
    let limits = ReadLimits::default().tokens(2).lines(1).line_chars(2);
    let outcome = limited(limits).read(&whole(path)).unwrap();
    assert_eq!((&*text(&outcome).text, &*text(&outcome).note), ("日日\n", ""));
    assert!(outcome.decisions.is_empty() && !outcome.state.unwrap().is_partial_view);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn numbered_text_parsed_back_is_the_file(content in "[a\tü日\r\n]{0,80}") {
        let (_place, path) = with_file(&content);
        let outcome = read(path);
        let shown = match &outcome.content {
            FileContent::Text(text) => numbered(&text.text, text.first_line),
            _ => String::new(),
        };
        let back: Vec<_> = parse_numbered(&shown).unwrap().into_iter().map(|(_, line)| line).collect();
        prop_assert_eq!(back, lines_of(&content).collect::<Vec<_>>());
    }

    #[test]
    fn whatever_the_limits_something_is_shown_and_it_is_a_beginning(
        content in "[a日🔥 \n]{1,200}", tokens in 1u64..20, max_lines in 1u64..5, line_chars in 1usize..9,
    ) {
        let (_place, path) = with_file(&content);
        let limits = ReadLimits::default().tokens(tokens).lines(max_lines).line_chars(line_chars);
        let outcome = limited(limits).read(&whole(path)).unwrap();
        let shown = text(&outcome);
        prop_assert!(!shown.text.is_empty());
        for (shown, full) in shown.text.split('\n').zip(content.split('\n')) {
            prop_assert!(full.starts_with(shown));
        }
        let is_cut = *shown.text != *content;
        prop_assert_eq!(is_cut, !shown.note.is_empty());
        prop_assert_eq!(outcome.state.unwrap().is_partial_view, is_cut);
    }

    #[test]
    fn any_range_is_what_a_naive_selection_gives(
        count in 1u64..12, start in 0u64..15, end in prop::option::of(0u64..15), ends in "\n|\r\n", last in any::<bool>(),
    ) {
        let mut content = (1..=count).map(|n| n.to_string()).collect::<Vec<_>>().join(&ends);
        if last { content.push_str(&ends); }
        let (_place, path) = with_file(&content);
        let to = end.unwrap_or(u64::MAX);
        let (low, high) = (start.min(to).max(1), start.max(to).min(count));
        let expected: Vec<_> = (low..=high).map(|n| n.to_string()).collect();
        match reader().read(&whole(path).lines(LineSpan::default().start(start).end(end))) {
            Ok(outcome) => prop_assert_eq!(lines_of(&text(&outcome).text).collect::<Vec<_>>(), expected),
            Err(error) => {
                prop_assert!(expected.is_empty());
                prop_assert_eq!(error.kind, ReadErrorKind::EmptySelection { lines: count });
            }
        }
    }
}
