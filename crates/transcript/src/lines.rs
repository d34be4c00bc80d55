//! Lines of a file, one in memory at a time.

use std::io::{self, BufRead};

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its first byte.
    pub(crate) offset: u64,
    /// Bytes without its end.
    pub(crate) bytes: u64,
    /// Counted from 1.
    pub(crate) number: u64,
}

/// What comes next in a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A line is in the buffer; whether it has an end.
    Line(Place, bool),
    /// A line that is longer than allowed was passed over.
    TooLong(Place),
    /// There is none.
    End,
}

/// Reads lines with a bound.
pub(crate) struct Lines<R> {
    reader: R,
    longest: u64,
    offset: u64,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R, longest: u64) -> Self {
        Self { reader, longest, offset: 0, number: 0 }
    }

    /// Puts the next line into `line`.
    pub(crate) fn next(&mut self, line: &mut Vec<u8>) -> io::Result<Next> {
        line.clear();
        let (mut bytes, mut ended) = (0_u64, false);
        while !ended {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            bytes += part.len() as u64;
            if bytes <= self.longest {
                line.extend_from_slice(part);
            } else {
                // what is passed over takes no room
                *line = Vec::new();
            }
            ended = end.is_some();
            let used = part.len() + usize::from(ended);
            self.reader.consume(used);
        }
        if bytes == 0 && !ended {
            return Ok(Next::End);
        }
        self.number += 1;
        let place = Place { offset: self.offset, bytes, number: self.number };
        self.offset += bytes + u64::from(ended);
        Ok(if bytes > self.longest { Next::TooLong(place) } else { Next::Line(place, ended) })
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn all(text: &str, longest: u64, buffer: usize) -> Vec<(Next, String)> {
        let mut lines = Lines::new(BufReader::with_capacity(buffer, text.as_bytes()), longest);
        let (mut found, mut line) = (Vec::new(), Vec::new());
        loop {
            match lines.next(&mut line).unwrap() {
                Next::End => return found,
                next => found.push((next, String::from_utf8(line.clone()).unwrap())),
            }
        }
    }

    #[test]
    fn lines_come_with_their_places_whatever_the_buffer() {
        let place = |offset, bytes, number| Place { offset, bytes, number };
        for buffer in [1, 2, 3, 100] {
            let expected = [
                (Next::Line(place(0, 2, 1), true), "ab".to_owned()),
                (Next::Line(place(3, 0, 2), true), String::new()),
                (Next::TooLong(place(4, 6, 3)), String::new()),
                (Next::Line(place(11, 1, 4), false), "c".to_owned()),
            ];
            assert_eq!(all("ab\n\n123456\nc", 5, buffer), expected, "{buffer}");
        }
        assert_eq!(all("", 5, 8), []);
    }
}
