//! What is new since the model was told.

use context_api::{CollectError, Decision, Delivered, Outbox, TurnView};
use context_text::safe_line;

use super::digest::is_of;
use super::{Delta, DeltaItem, Missing, owners, unavailable};

/// What the history shows that the model has of a source.
struct Announced<'a> {
    /// By name, in byte order.
    texts: Vec<(&'a str, &'a Delivered)>,
    turn: &'a TurnView,
    kind: &'a str,
}

/// What there is, beside what was announced.
#[derive(Default)]
struct Compared<'a, 'b> {
    /// Announced with another text, or not at all.
    added: Vec<DeltaItem<'b>>,
    /// Announced and not there.
    missing: Vec<&'a str>,
}

impl<'a> Announced<'a> {
    fn of(turn: &'a TurnView, kind: &'a str) -> Self {
        Self { texts: turn.ledger.kind_in_view(kind).collect(), turn, kind }
    }

    /// `items` stand in byte order too, so that one walk along both finds everything.
    fn beside<'b>(&self, items: Vec<DeltaItem<'b>>) -> Compared<'a, 'b> {
        let mut compared = Compared::default();
        let mut texts = self.texts.iter().peekable();
        for item in items {
            let before = std::iter::from_fn(|| texts.next_if(|(name, _)| **name < *item.name));
            compared.missing.extend(before.map(|(name, _)| *name));
            let told = texts.next_if(|(name, _)| **name == *item.name);
            if told.is_none_or(|(_, known)| !is_of(&known.hash, &item.text)) {
                compared.added.push(item);
            }
        }
        compared.missing.extend(texts.map(|(name, _)| *name));
        compared
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
    let Compared { added, missing: gone } = announced.beside(items);
    let mut removed = Vec::new();
    let mut unreachable = Vec::new();
    for name in gone {
        let owner = announced.owner_of(name);
        match missing(name, owner) {
            Missing::Gone => removed.push(name.to_owned()),
            Missing::Unavailable => unreachable.push(owner.unwrap_or(name).to_owned()),
            Missing::There => {}
        }
    }
    unreachable.dedup();
    unreachable.iter().try_for_each(|what| out.decide(unavailable(what, "")))?;
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
