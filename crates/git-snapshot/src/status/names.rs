//! A set of names that is built and asked once for each directory.

use std::collections::HashSet;

use gix::bstr::{BStr, ByteSlice};

/// Steps to a free place from which names are taken for chosen to collide.
const FAR: usize = 64;

/// Sorted names.
///
/// Twice as many places as names, filled from the place that a hash gives. It is cleared for the next directory, which
/// spares the allocation, and a look-up costs about one comparison, where a binary search costs five. Names that
/// collide on purpose get the binary search.
#[derive(Default)]
pub(crate) struct Names<'a> {
    names: Vec<&'a BStr>,
    /// Position among `names` plus one; 0 is free. Empty where there are only names.
    places: Vec<u32>,
    /// The names without case, made when the first is asked for.
    folded: Option<HashSet<Vec<u8>>>,
}

impl<'a> Names<'a> {
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.folded = None;
    }

    pub(crate) fn push(&mut self, name: &'a BStr) {
        self.names.push(name);
    }

    /// Makes the names known to [`Names::contains`].
    pub(crate) fn build(&mut self) {
        let size = (self.names.len() * 2).next_power_of_two();
        self.places.clear();
        self.places.resize(size, 0);
        for (position, name) in self.names.iter().enumerate() {
            let first = self.first_place(name);
            let mut places = (0..FAR).map(|step| (first + step) & (size - 1));
            let (Some(place), Ok(number)) =
                (places.find(|place| self.places[*place] == 0), u32::try_from(position + 1))
            else {
                self.places.clear();
                return;
            };
            self.places[place] = number;
        }
    }

    /// Whether `name` is among the names.
    pub(crate) fn contains(&self, name: &BStr) -> bool {
        if self.places.is_empty() {
            return self.names.binary_search(&name).is_ok();
        }
        let mut place = self.first_place(name);
        loop {
            match (self.places[place] as usize).checked_sub(1) {
                None => return false,
                Some(position) if self.names[position] == name => return true,
                Some(_) => {}
            }
            place = (place + 1) & (self.places.len() - 1);
        }
    }

    /// Whether `name` is among the names by any case. Asked where the exact name is not, and case does not count.
    pub(crate) fn contains_folded(&mut self, name: &BStr) -> bool {
        let folded = self
            .folded
            .get_or_insert_with(|| self.names.iter().map(|known| known.to_ascii_lowercase()).collect());
        folded.contains(&name.to_ascii_lowercase())
    }

    fn first_place(&self, name: &BStr) -> usize {
        let mut hash = name.len() as u64;
        let mut chunks = name.chunks_exact(8);
        for chunk in &mut chunks {
            hash = mix(hash, chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
        hash = mix(hash, chunks.remainder().bytes().fold(0, |word, byte| word << 8 | u64::from(byte)));
        (hash >> 32) as usize & (self.places.len() - 1)
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_found_where_it_was_put_and_no_other() {
        let all: Vec<String> = (0..300).map(|n| format!("name-{n:03}.{}", "x".repeat(n % 20))).collect();
        let mut names = Names::default();
        names.build();
        assert!(!names.contains("a".into()));
        for count in [1, 7, 300, 2] {
            names.clear();
            all[..count].iter().for_each(|name| names.push(name.as_str().into()));
            names.build();
            for (at, name) in all.iter().enumerate() {
                assert_eq!(names.contains(name.as_str().into()), at < count);
            }
            names.places.clear();
            assert!(names.contains("name-000.".into()) && !names.contains("name-999.".into()));
        }
    }
}
