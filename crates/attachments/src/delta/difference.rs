//! What is new since the model was told.

use std::collections::BTreeMap;

use context_api::{CollectError, Decision, Delivered, Outbox, TurnView};
use context_text::safe_line;

use super::digest::is_of;
use super::{Delta, DeltaItem, Missing, owners, unavailable};

/// What the history shows that the model has of a source.
struct Announced<'a> {
    texts: BTreeMap<&'a str, &'a Delivered>,
    turn: &'a TurnView,
    kind: &'a str,
}

impl<'a> Announced<'a> {
    fn of(turn: &'a TurnView, kind: &'a str) -> Self {
        Self { texts: turn.ledger.kind_in_view(kind).collect(), turn, kind }
    }

    /// Whether an item was announced with another text, or not at all.
    fn lacks(&self, item: &DeltaItem<'_>) -> bool {
        self.texts.get(&*item.name).is_none_or(|known| !is_of(&known.hash, &item.text))
    }

    /// What was announced and is none of `items`, which stand in byte order.
    fn missing_in(&self, items: &[DeltaItem<'_>]) -> Vec<&'a str> {
        let is_there = |name: &&str| items.binary_search_by(|item| (*item.name).cmp(name)).is_ok();
        self.texts.keys().copied().filter(|name| !is_there(name)).collect()
    }

    fn owner_of(&self, name: &str) -> Option<&'a str> {
        self.turn.ledger.delivered(&owners(self.kind), name).map(|key| key.hash.as_str())
    }

    /// Whether an announcement of the kind is in view, be it of things that are gone since.
    fn is_begun(&self) -> bool {
        let newest = self.turn.ledger.occurrences(self.kind);
        newest.count > 0 && newest.boundary == self.turn.ledger.boundaries()
    }
}

/// The difference between `items` and what was announced; `None` where there is none. Of items with one name the first
/// counts. What can not be looked at now is a decision.
pub(crate) fn difference<'a>(
    turn: &TurnView,
    kind: &str,
    items: Vec<DeltaItem<'a>>,
    missing: &dyn Fn(&str, Option<&str>) -> Missing,
    out: &Outbox,
) -> Result<Option<Delta<'a>>, CollectError> {
    let announced = Announced::of(turn, kind);
    let items = each_name_once(items, out)?;
    let mut removed = Vec::new();
    let mut unreachable = Vec::new();
    for name in announced.missing_in(&items) {
        let owner = announced.owner_of(name);
        match missing(name, owner) {
            Missing::Gone => removed.push(name.to_owned()),
            Missing::Unavailable => unreachable.push(owner.unwrap_or(name).to_owned()),
            Missing::There => {}
        }
    }
    unreachable.dedup();
    unreachable.iter().try_for_each(|what| out.decide(unavailable(what, "")))?;
    let added: Vec<DeltaItem<'a>> = items.into_iter().filter(|item| announced.lacks(item)).collect();
    let is_empty = added.is_empty() && removed.is_empty();
    Ok((!is_empty).then(|| Delta { added, removed, is_initial: !announced.is_begun() }))
}

/// The items in byte order of their names.
fn each_name_once<'a>(
    mut items: Vec<DeltaItem<'a>>,
    out: &Outbox,
) -> Result<Vec<DeltaItem<'a>>, CollectError> {
    items.sort_by(|a, b| a.name.cmp(&b.name));
    let mut twice = Vec::new();
    items.dedup_by(|later, first| {
        let same = later.name == first.name;
        if same {
            twice.push(later.name.to_string());
        }
        same
    });
    for name in twice {
        let detail = "Another one of this name stands before it; this one is not announced.";
        out.decide(Decision::left_out(safe_line(&name), "name_taken", detail))?;
    }
    Ok(items)
}
