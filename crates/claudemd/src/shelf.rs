//! A bounded store that sessions share.

use std::borrow::Borrow;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;

/// Values by key, up to a total weight. What was not asked for while half of that was put in is forgotten.
pub(crate) struct Shelf<K, V> {
    halves: Mutex<Halves<K, V>>,
    half: u64,
}

struct Halves<K, V> {
    young: HashMap<K, (V, u64)>,
    old: HashMap<K, (V, u64)>,
    weight: u64,
}

impl<K: Hash + Eq, V: Clone> Shelf<K, V> {
    pub(crate) fn new(capacity: u64) -> Self {
        let halves = Halves { young: HashMap::default(), old: HashMap::default(), weight: 0 };
        Self { halves: Mutex::new(halves), half: capacity / 2 }
    }

    pub(crate) fn get<Q>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut halves = self.lock();
        if let Some((value, _)) = halves.young.get(key) {
            return Some(value.clone());
        }
        let (key, (value, weight)) = halves.old.remove_entry(key)?;
        halves.put(key, value.clone(), weight, self.half);
        Some(value)
    }

    pub(crate) fn insert(&self, key: K, value: V, weight: u64) {
        let mut halves = self.lock();
        halves.old.remove(&key);
        halves.put(key, value, weight, self.half);
    }

    pub(crate) fn clear(&self) {
        let mut halves = self.lock();
        halves.young.clear();
        halves.old.clear();
        halves.weight = 0;
    }

    /// A thread that panicked left the maps whole: each call changes them by calls that do not panic.
    fn lock(&self) -> MutexGuard<'_, Halves<K, V>> {
        self.halves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> Halves<K, V> {
    fn put(&mut self, key: K, value: V, weight: u64, half: u64) {
        if self.weight + weight > half {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.weight += weight;
        if let Some((_, before)) = self.young.insert(key, (value, weight)) {
            self.weight = self.weight.saturating_sub(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let shelf = Shelf::new(8);
        for n in 0..40 {
            shelf.insert(n, n * 10, 1);
            assert_eq!(shelf.get(&0), Some(0), "after {n}");
            let halves = shelf.lock();
            assert!(halves.young.len() + halves.old.len() <= 9);
        }
        assert_eq!(shelf.get(&3), None);
        assert_eq!(shelf.get(&39), Some(390));
        shelf.clear();
        assert_eq!(shelf.get(&0), None);
    }

    #[test]
    fn a_value_that_is_put_again_counts_once() {
        let shelf = Shelf::new(8);
        shelf.insert("kept", 0, 1);
        (0..40).for_each(|n| shelf.insert("again", n, 2));
        assert_eq!((shelf.get(&"kept"), shelf.get(&"again")), (Some(0), Some(39)));
    }
}
