//! A PDF without the bulk of its data, every byte in its place.

use std::io::{self, Read};
use std::ops::Range;

use flate2::read::ZlibDecoder;
use memchr::memmem;

use crate::ReadLimits;

/// Which streams keep their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Those that hold objects: what the page tree may need.
    Structure,
    /// And those that may hold text or say how to read it: all but pictures and fonts.
    Text,
}

/// Bytes before a stream in which its dictionary is looked for.
const DICTIONARY: usize = 4 * 1024;

/// The file with blanks for the data that is not needed; places stay, so that its tables hold. `None` where what is left is
/// more than the parser may get. Whatever a hostile file passes off as data is blanked too, so the bound holds for all files.
pub(super) fn outline(bytes: &[u8], keep: Keep, limits: &ReadLimits) -> Option<Vec<u8>> {
    let is_encrypted = memmem::find(bytes, b"/Encrypt").is_some();
    let mut out = bytes.to_vec();
    let (mut blanked, mut unpacked) = (0, 0);
    for (dictionary, data) in streams(bytes) {
        let size = data.len();
        let holds_objects = has(dictionary, b"/ObjStm") || has(dictionary, b"/XRef");
        if holds_objects && !is_encrypted {
            unpacked += unpacked_size(dictionary, &bytes[data], limits.pdf_unpacked_bytes - unpacked)?;
        } else if !holds_objects && !is_kept(keep, dictionary) {
            out[data].fill(b' ');
            blanked += size;
        }
    }
    (bytes.len() - blanked <= limits.pdf_parsed_bytes).then_some(out)
}

fn is_kept(keep: Keep, dictionary: &[u8]) -> bool {
    const BULK: [&[u8]; 5] = [b"/Image", b"/Length1", b"/Type1C", b"/CIDFontType0C", b"/OpenType"];
    keep == Keep::Text && !BULK.iter().any(|mark| has(dictionary, mark))
}

fn has(dictionary: &[u8], mark: &[u8]) -> bool {
    memmem::find(dictionary, mark).is_some()
}

/// What stands before each stream, and where its data is.
fn streams(bytes: &[u8]) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = loop {
            let found = at + memmem::find(&bytes[at..], b"stream")?;
            at = found + b"stream".len();
            let rest = &bytes[at..];
            let end_of_line =
                if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
            if end_of_line > 0 && !bytes[..found].ends_with(b"end") {
                break found..at + end_of_line;
            }
        };
        let data = start.end
            ..start.end + memmem::find(&bytes[start.end..], b"endstream").unwrap_or(bytes.len() - start.end);
        at = data.end;
        Some((dictionary(&bytes[..start.start]), data))
    })
}

/// The end of `before`, from the object's beginning on where that is near.
fn dictionary(before: &[u8]) -> &[u8] {
    let near = &before[before.len().saturating_sub(DICTIONARY)..];
    memmem::rfind(near, b" obj").map_or(near, |start| &near[start..])
}

/// How large objects are once unpacked; `None` where it is more than `most`, or they are packed in a way that objects are not.
fn unpacked_size(dictionary: &[u8], data: &[u8], most: usize) -> Option<usize> {
    let filters = memmem::find_iter(dictionary, b"Decode").count()
        - memmem::find_iter(dictionary, b"DecodeParms").count();
    let is_packed = has(dictionary, b"/FlateDecode");
    if filters > usize::from(is_packed) {
        return None;
    }
    if !is_packed {
        return (data.len() <= most).then_some(data.len());
    }
    let mut rest = ZlibDecoder::new(data).take(most as u64 + 1);
    // What is damaged unpacks as far as it does; the parser sees no more of it either.
    let size = count(&mut rest);
    (size <= most).then_some(size)
}

fn count(from: &mut impl Read) -> usize {
    let (mut total, mut buffer) = (0, [0; 16 * 1024]);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return total,
            Ok(size) => total += size,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"%PDF\n1 0 obj <</Length 4>> stream\nDATA\nendstream endobj\n\
        2 0 obj <</Type/ObjStm>> stream\r\nKEEP\r\nendstream endobj\n3 0 obj <</Subtype/Image>> stream\nBULK";

    fn shown(keep: Keep, limits: ReadLimits) -> Option<String> {
        outline(FILE, keep, &limits).map(|out| String::from_utf8(out).unwrap())
    }

    #[test]
    fn data_that_is_not_needed_is_blank_and_all_places_stay() {
        let structure = shown(Keep::Structure, ReadLimits::default()).unwrap();
        assert_eq!(structure.len(), FILE.len());
        assert!(!structure.contains("DATA") && structure.contains("KEEP") && !structure.contains("BULK"));
        let text = shown(Keep::Text, ReadLimits::default()).unwrap();
        assert!(text.contains("DATA") && text.contains("KEEP") && !text.contains("BULK"));
    }

    #[test]
    fn what_is_left_is_bounded() {
        assert_eq!(shown(Keep::Structure, ReadLimits::default().pdf_parsed_bytes(100)), None);
        assert_eq!(shown(Keep::Structure, ReadLimits::default().pdf_unpacked_bytes(3)), None);
    }
}
