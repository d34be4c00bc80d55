//! Files that are too large to be read to their end.

use std::io::{self, Read};
use std::path::Path;

use context_api::{FileContent, OpenFile, ReadErrorKind, ReadRequest};

use super::kind::Kind;
use super::{Shown, StandardReader, binary, document, text};
use crate::ReadLimits;

/// The first lines of a text, or the ones asked for as far as they are not behind everything that is read; other kinds by
/// name. Whether the file changes meanwhile does not matter: it is a partial view anyway.
pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    mut file: OpenFile,
) -> Result<Shown, ReadErrorKind> {
    let size = file.meta.fingerprint.len;
    let head = read_head(&mut file, reader.limits.head_bytes).map_err(|error| ReadErrorKind::from(&error))?;
    match Kind::of(&head) {
        Kind::Text => show_text(reader, request, path, file, head),
        Kind::Image => Err(ReadErrorKind::TooLarge { size }),
        Kind::Pdf => Ok(document::reference(request, size, None, reader)),
        Kind::Binary => Ok(binary::name(&head, size, "")),
    }
}

fn show_text(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    mut file: OpenFile,
    head: Vec<u8>,
) -> Result<Shown, ReadErrorKind> {
    let limits = &reader.limits;
    let too_large = ReadErrorKind::TooLarge { size: file.meta.fingerprint.len };
    let (first, last) = match request.lines {
        Some(lines) => {
            let end = lines.end.unwrap_or(u64::MAX);
            (lines.start.min(end).max(1), lines.start.max(end))
        }
        None => (1, u64::MAX),
    };
    // Line ends of UTF-16 can not be counted in bytes.
    let is_wide = head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF");
    if first > 1 && is_wide {
        return Err(too_large);
    }
    let found = from_line(&mut file, head, first, limits).map_err(|error| ReadErrorKind::from(&error))?;
    let decoded = text::decode(without_torn_end(found.ok_or(too_large)?, limits));
    let wanted = usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1);
    let narrowed = ReadLimits { lines: limits.lines.min(wanted as u64), ..*limits };
    let cut = text::cut_to_lines(&decoded.text, first, &narrowed);
    let note = cut.note(last, None, limits);
    let (shown, _) = text::visible(&cut.text);
    let content = text::content(&decoded, shown, first).note(note);
    let state = reader.bare_state(path, &file.meta).lines(request.lines).is_partial_view(true);
    let decisions = vec![text::too_long(&request.path).bytes(file.meta.fingerprint.len)];
    Ok(Shown { content: FileContent::Text(content), state: Some(state), decisions })
}

fn read_head(file: &mut OpenFile, limit: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(limit);
    (&mut file.reader).take(limit as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// So many bytes from the beginning of line `first`, where that begins within what is read.
fn from_line(
    file: &mut OpenFile,
    head: Vec<u8>,
    first: u64,
    limits: &ReadLimits,
) -> io::Result<Option<Vec<u8>>> {
    let mut to_skip = first - 1;
    let mut read = head.len() as u64;
    let mut chunk = head;
    loop {
        match after(&chunk, &mut to_skip) {
            Some(start) => {
                let mut found = chunk.split_off(start);
                let missing = limits.head_bytes.saturating_sub(found.len());
                (&mut file.reader).take(missing as u64).read_to_end(&mut found)?;
                return Ok(Some(found));
            }
            None if read >= limits.file_bytes || chunk.is_empty() => return Ok(None),
            None => {}
        }
        chunk = read_head(file, limits.head_bytes)?;
        read += chunk.len() as u64;
    }
}

/// Where the bytes go on after the lines to skip; counts down those that end in them.
fn after(chunk: &[u8], to_skip: &mut u64) -> Option<usize> {
    if *to_skip == 0 {
        return Some(0);
    }
    for end in memchr::memchr_iter(b'\n', chunk) {
        *to_skip -= 1;
        if *to_skip == 0 {
            return Some(end + 1);
        }
    }
    None
}

/// The end of what was read may lie within a line, or within a character of the only line.
fn without_torn_end(mut bytes: Vec<u8>, limits: &ReadLimits) -> Vec<u8> {
    if bytes.len() < limits.head_bytes {
        return bytes;
    }
    if let Some(end) = memchr::memrchr(b'\n', &bytes) {
        bytes.truncate(end + 1);
    } else if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
    bytes
}
