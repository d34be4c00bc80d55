//! How much of one text is found in another.

use gix::bstr::ByteSlice;

/// Scores run from 0 to this, as in git's options.
pub(crate) const MAX_SCORE: u64 = 60_000;
/// Chunks end at a line end or after this many bytes.
const CHUNK: usize = 64;
/// A zero byte in this many first bytes makes a text binary.
const BINARY_WINDOW: usize = 8_000;

/// A text as the chunks that it consists of, each with the bytes that its copies make up.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Profile {
    size: u64,
    /// Sorted by hash.
    chunks: Vec<(u64, u64)>,
}

/// The places in git's table of chunks: so many hashes it can tell apart.
const GIT_HASHES: u64 = 107_927;

impl Profile {
    pub(crate) fn of(text: &[u8]) -> Self {
        let is_text = !text[..text.len().min(BINARY_WINDOW)].contains(&0);
        let mut chunks = Vec::new();
        let mut chunk = Vec::with_capacity(CHUNK);
        for (at, &byte) in text.iter().enumerate() {
            if is_text && byte == b'\r' && text.get(at + 1) == Some(&b'\n') {
                continue;
            }
            chunk.push(byte);
            if byte == b'\n' || chunk.len() == CHUNK {
                chunks.push((hash(&chunk), chunk.len() as u64));
                chunk.clear();
            }
        }
        if !chunk.is_empty() {
            chunks.push((hash(&chunk), chunk.len() as u64));
        }
        chunks.sort_unstable();
        chunks.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        Self { size: text.len() as u64, chunks }
    }

    /// Bytes of `self` that are found in `other`, each only once.
    fn shared(&self, other: &Self) -> u64 {
        let (mut a, mut b) = (self.chunks.iter().peekable(), other.chunks.iter().peekable());
        let mut shared = 0;
        while let (Some(&&(left, count)), Some(&&(right, other))) = (a.peek(), b.peek()) {
            if left == right {
                shared += count.min(other);
            }
            if left <= right {
                a.next();
            }
            if right <= left {
                b.next();
            }
        }
        shared
    }
}

/// The score of a pair: the part of the larger file that comes from the source. 0 for empty files.
pub(crate) fn score(source: &Profile, target: &Profile) -> u64 {
    if source.size == 0 || target.size == 0 {
        return 0;
    }
    source.shared(target) * MAX_SCORE / source.size.max(target.size)
}

/// How far git's score of a pair may lie from ours: it takes chunks for the same whose hashes collide, which in files
/// of hundreds of lines happens.
pub(crate) fn noise(source: &Profile, target: &Profile) -> u64 {
    let collisions = source.chunks.len() as u64 * target.chunks.len() as u64 / GIT_HASHES;
    collisions * CHUNK as u64 * MAX_SCORE / source.size.max(target.size).max(1)
}

/// Whether files of these sizes can reach the score `least` at all.
pub(crate) fn sizes_allow(a: u64, b: u64, least: u64) -> bool {
    let (large, small) = (a.max(b), a.min(b));
    large * (MAX_SCORE - least) >= (large - small) * MAX_SCORE
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, target: &str, percent: u64) {
        let score = score(&Profile::of(source.as_bytes()), &Profile::of(target.as_bytes()));
        assert_eq!(score * 100 / MAX_SCORE, percent);
    }

    #[test]
    fn scores_are_the_shared_part_of_the_larger_file() {
        check("a\nb\nc\nd\n", "a\nb\nc\nd\n", 100);
        check("a\nb\nc\nd\n", "d\nc\nb\na\n", 100);
        check("a\nb\nc\nd\n", "a\nb\nx\ny\n", 50);
        check("a\na\n", "a\n", 50);
        check("a\r\nb\r\n", "a\nb\n", 66);
        check("", "a\n", 0);
    }

    #[test]
    fn sizes_rule_pairs_out() {
        assert!(sizes_allow(100, 50, 30_000));
        assert!(!sizes_allow(101, 50, 30_000));
    }
}
