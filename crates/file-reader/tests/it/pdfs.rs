//! PDFs, made here.

use std::io::Write;
use std::time::{Duration, Instant};

use context_api::{
    FileContent, FilePdf, FileReader, FileReference, LineSpan, MediaSource, ReadErrorKind, ReadOutcome,
    StateKind,
};
use context_testkit::Place;
use file_reader::ReadLimits;
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, SaveOptions, StringFormat};

use crate::support::*;

/// A file of these objects, numbered from 1, with the tables it needs.
fn file(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n", index + 1).bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let table = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    places.iter().for_each(|place| out.extend(format!("{place:010} 00000 n \n").bytes()));
    let size = objects.len() + 1;
    out.extend(
        format!("trailer << /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF\n").bytes(),
    );
    out
}

fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut out = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
    out.extend(data);
    out.extend(b"\nendstream");
    out
}

fn packed(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).expect("memory");
    encoder.finish().expect("memory")
}

/// A document whose pages say `Page N says hello`, and that gives its length as `count`.
fn document(pages: usize, count: u64) -> Vec<u8> {
    let kid = |n: usize| format!("{} 0 R", 4 + 2 * n);
    let kids: Vec<_> = (0..pages).map(kid).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Count {count} /Kids [{}] >>", kids.join(" ")).into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec(),
    ];
    for n in 0..pages {
        let entries =
            "/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /Font << /F1 3 0 R >> >>";
        objects.push(format!("<< {entries} /Contents {} 0 R >>", 5 + 2 * n).into_bytes());
        objects
            .push(stream("", format!("BT /F1 12 Tf 10 100 Td (Page {} says hello) Tj ET", n + 1).as_bytes()));
    }
    file(&objects, "")
}

fn read_pdf(bytes: &[u8]) -> ReadOutcome {
    let place = Place::new();
    read(place.write("a.pdf", bytes))
}

fn read_pages(bytes: &[u8], start: u64, end: u64) -> Result<ReadOutcome, ReadErrorKind> {
    let place = Place::new();
    let request = whole(place.write("a.pdf", bytes)).pages(LineSpan::default().start(start).end(end));
    reader().read(&request).map_err(|error| error.kind)
}

fn inline(outcome: &ReadOutcome) -> &FilePdf {
    match &outcome.content {
        FileContent::Pdf(pdf) => pdf,
        other => panic!("not inline: {other:?}"),
    }
}

fn reference(outcome: &ReadOutcome) -> &FileReference {
    match &outcome.content {
        FileContent::PdfReference(reference) => reference,
        other => panic!("no reference: {:?}", format!("{other:?}").chars().take(200).collect::<String>()),
    }
}

/// Not only in the end, but soon. A generous bound: it is a watchdog, no measurement.
fn soon<T>(act: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = act();
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    result
}

#[test]
fn ten_pages_come_whole_and_eleven_by_reference() {
    let short = document(10, 10);
    let outcome = read_pdf(&short);
    let pdf = inline(&outcome);
    assert_eq!((pdf.pages, &*pdf.title), (Some(10), "a.pdf"));
    assert!(
        matches!(&pdf.source, Some(MediaSource::Base64 { media_type, .. }) if media_type == "application/pdf")
    );
    let state = outcome.state.clone().unwrap();
    assert_eq!((state.kind, state.content.is_none(), state.is_whole()), (StateKind::Other, true, true));
    let outcome = read_pdf(&document(11, 11));
    assert_eq!((reference(&outcome).pages, &*reference(&outcome).note), (Some(11), ""));
    assert_eq!((reasons(&outcome), &outcome.state), (vec!["pdf_by_reference"], &None));
}

#[test]
fn a_pdf_of_more_pages_than_a_request_may_hold_says_so_and_the_next_one_is_fine() {
    let outcome = read_pdf(&document(101, 101));
    assert_eq!(reference(&outcome).kind, "PDF document of more than the 100 pages that a request may hold");
    assert_eq!(reference(&outcome).pages, Some(101));
    assert_eq!(inline(&read_pdf(&document(2, 2))).pages, Some(2));
}

#[test]
fn the_name_does_not_matter() {
    let place = Place::new();
    assert_eq!(inline(&read(place.write("a.txt", document(1, 1)))).pages, Some(1));
    let outcome = read(place.write("text.pdf", "just text\n"));
    assert_eq!(&*text(&outcome).text, "just text\n");
}

#[test]
fn pages_are_text_with_their_numbers_and_how_to_read_on() {
    let long = document(1_000, 1_000);
    let outcome = read_pages(&long, 3, 4).unwrap();
    insta::assert_snapshot!(text(&outcome).text, @r"
    [Page 3]
    Page 3 says hello
    [Page 4]
    Page 4 says hello
    ");
    insta::assert_snapshot!(text(&outcome).note, @"These are pages 3 to 4 of 1000, their text only. To read on, ask for pages from 5 on.");
    assert!(outcome.state.unwrap().is_partial_view && outcome.decisions.is_empty());
}

#[test]
fn twenty_pages_are_the_most_at_once() {
    let outcome = read_pages(&document(50, 50), 11, 50).unwrap();
    assert_eq!(text(&outcome).text.matches("says hello").count(), 20);
    assert!(text(&outcome).text.contains("Page 30 says") && !text(&outcome).text.contains("Page 31 says"));
    assert_eq!(reasons(&outcome), ["too_many_pages"]);
    let turned = read_pages(&document(5, 5), 9, 4).unwrap();
    assert_eq!(text(&turned).text.matches("says hello").count(), 2);
    let ReadErrorKind::Unusable { reason } = read_pages(&document(5, 5), 6, 9).unwrap_err() else { panic!() };
    assert_eq!(reason, "the PDF has only 5 pages");
}

#[test]
fn a_page_without_text_says_so() {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>".to_vec(),
    ];
    let outcome = read_pages(&file(&objects, ""), 1, 1).unwrap();
    assert!(text(&outcome).text.contains("(This page has no text; it may be a picture.)"));
}

#[test]
fn a_thousand_pages_are_counted() {
    let outcome = soon(|| read_pdf(&document(1_000, 1_000)));
    assert_eq!(reference(&outcome).pages, Some(1_000));
}

#[test]
fn a_count_that_lies_is_not_believed() {
    assert_eq!(inline(&read_pdf(&document(1, 1_000_000))).pages, Some(1));
    assert_eq!(reference(&read_pdf(&document(200, 1))).pages, Some(200));
}

#[test]
fn object_streams_are_counted_and_read_too() {
    let mut long = Document::load_mem(&document(300, 300)).unwrap();
    let mut bytes = Vec::new();
    let options = SaveOptions::builder().use_object_streams(true).use_xref_streams(true).build();
    long.save_with_options(&mut bytes, options).unwrap();
    assert!(memchr::memmem::find(&bytes, b"/ObjStm").is_some());
    assert_eq!(reference(&read_pdf(&bytes)).pages, Some(300));
    assert!(text(&read_pages(&bytes, 299, 300).unwrap()).text.contains("Page 300 says hello"));
}

#[test]
fn a_page_tree_that_bites_its_tail_ends() {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 3 /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Pages /Parent 2 0 R /Count 3 /Kids [2 0 R 3 0 R] >>".to_vec(),
    ];
    let outcome = soon(|| read_pdf(&file(&objects, "")));
    assert_eq!((reference(&outcome).pages, reasons(&outcome)), (None, vec!["pdf_broken"]));
}

fn encrypted(user_password: &str) -> Vec<u8> {
    let mut document = Document::load_mem(&document(3, 3)).expect("a document");
    let id = || Object::String(vec![7; 16], StringFormat::Hexadecimal);
    document.trailer.set("ID", Object::Array(vec![id(), id()]));
    let state = EncryptionState::try_from(EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password,
        key_length: 128,
        permissions: Permissions::all(),
    })
    .expect("a state");
    document.encrypt(&state).expect("encryption");
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).expect("memory");
    bytes
}

#[test]
fn a_protected_pdf_is_a_reference_that_says_so() {
    let outcome = read_pdf(&encrypted("secret"));
    assert_eq!(&*reference(&outcome).note, "it is protected by a password.");
    assert_eq!(reasons(&outcome), ["pdf_encrypted"]);
    let error = read_pages(&encrypted("secret"), 1, 1).unwrap_err();
    assert!(matches!(error, ReadErrorKind::Unusable { reason } if reason.contains("password")));
}

#[test]
fn an_encrypted_pdf_that_needs_no_password_is_not_sent_but_its_pages_are_read() {
    let bytes = encrypted("");
    assert_eq!(reference(&read_pdf(&bytes)).pages, Some(3));
    assert!(text(&read_pages(&bytes, 2, 2).unwrap()).text.contains("Page 2 says hello"));
}

#[test]
fn cut_and_damaged_files_are_what_is_left_of_them_or_a_reference_that_says_so() {
    let whole = document(1_000, 1_000);
    let half = soon(|| read_pdf(&whole[..whole.len() / 2]));
    assert!(
        matches!(&half.content, FileContent::PdfReference(_)),
        "never the thousand pages that are not there"
    );
    for bytes in [&b"%PDF-1.4\n"[..], b"%PDF-1.7\nnothing of the kind\n", &whole[..200]] {
        let outcome = read_pdf(bytes);
        assert_eq!((reasons(&outcome), reference(&outcome).pages), (vec!["pdf_broken"], None));
        assert_eq!(&*reference(&outcome).note, "it is damaged, no page of it can be found.");
    }
}

#[test]
fn ten_megabytes_of_nested_arrays_are_not_parsed() {
    for body in ["[".repeat(10_000_000), "1 ".repeat(5_000_000)] {
        let objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
            format!("<< /Type /Page /Parent 2 0 R /X [{body}] >>").into_bytes(),
        ];
        let bytes = file(&objects, "");
        let outcome = soon(|| read_pdf(&bytes));
        assert_eq!((reference(&outcome).pages, reasons(&outcome)), (None, vec!["pdf_by_reference"]));
        // Passed off as the data of a stream they are blanks to the parser.
        let hidden = [bytes, b"% stream\n".to_vec(), vec![b'['; 5_000_000]].concat();
        assert!(matches!(soon(|| read_pdf(&hidden)).content, FileContent::PdfReference(_)));
    }
}

#[test]
fn deeply_nested_objects_and_page_trees_do_not_overflow_the_stack() {
    let deep = format!("<< /Type /Page /Parent 2 0 R /X {}{} >>", "[".repeat(100_000), "]".repeat(100_000));
    let tree = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec();
    let outcome = soon(|| {
        read_pdf(&file(&[b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), tree, deep.into_bytes()], ""))
    });
    assert!(matches!(outcome.content, FileContent::Pdf(_) | FileContent::PdfReference(_)));
    let mut objects = vec![b"<< /Type /Catalog /Pages 2 0 R >>".to_vec()];
    (0..20_000).for_each(|n| objects.push(format!("<< /Type /Pages /Kids [{} 0 R] >>", n + 3).into_bytes()));
    let outcome = soon(|| read_pdf(&file(&objects, "")));
    assert!(matches!(outcome.content, FileContent::Pdf(_) | FileContent::PdfReference(_)));
}

#[test]
fn bombs_are_not_unpacked() {
    let bomb = packed(&vec![b' '; 64 << 20]);
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>";
    let content = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
        page.as_bytes().to_vec(),
        stream("/Filter /FlateDecode", &bomb),
    ];
    let bytes = file(&content, "");
    assert_eq!(
        inline(&soon(|| read_pdf(&bytes))).pages,
        Some(1),
        "what a page holds does not matter for the count"
    );
    let outcome = soon(|| read_pages(&bytes, 1, 1).unwrap());
    assert!(
        text(&outcome).text.contains("(The text of this page can not be read.)"),
        "{:?}",
        text(&outcome).text
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &bomb),
    ];
    let outcome = soon(|| read_pdf(&file(&objects, "")));
    assert_eq!(reference(&outcome).pages, None);
    let doubly = stream("/Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode]", &packed(&bomb));
    let outcome = soon(|| read_pdf(&file(&[b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), doubly], "")));
    assert_eq!(reference(&outcome).pages, None);
}

#[test]
fn a_short_pdf_of_many_bytes_is_not_sent() {
    let mut bytes = document(1, 1);
    bytes.extend(stream("/Subtype /Image", &vec![0xAB; 5_000]));
    let place = Place::new();
    let path = place.write("a.pdf", &bytes);
    let outcome = limited(ReadLimits::default().pdf_bytes(4_000)).read(&whole(&path)).unwrap();
    assert_eq!((reference(&outcome).pages, reasons(&outcome)), (Some(1), vec!["pdf_by_reference"]));
    let outcome = limited(ReadLimits::default().file_bytes(1_000)).read(&whole(&path)).unwrap();
    assert_eq!((reference(&outcome).pages, reference(&outcome).size), (None, bytes.len() as u64));
}

#[test]
fn damaged_bytes_never_panic_and_never_take_long() {
    let whole = document(12, 12);
    let mut seed = 5_u32;
    for _ in 0..150 {
        let mut copy = whole.clone();
        for _ in 0..4 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed as usize >> 6) % copy.len();
            copy[at] = (seed >> 2) as u8;
        }
        copy[..5].copy_from_slice(b"%PDF-");
        let place = Place::new();
        let path = place.write("a.pdf", &copy);
        soon(|| reader().read(&crate::support::whole(path)).unwrap());
    }
}
