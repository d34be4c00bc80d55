//! Sources that change: one mechanism for everything that is announced, updated and taken back.

mod difference;
mod digest;

use std::borrow::Cow;

use async_trait::async_trait;
use context_api::{
    Attachment, CollectError, Collector, Decision, DeliveryKey, Draft, Outbox, Stage, TurnView, Work,
};
use context_text::safe_line;

pub(crate) use difference::difference;
pub(crate) use digest::digest;

/// Answers: what is there to announce, and how is a difference told?
///
/// The texts of a source are compared with what the history shows that the model has. Each name is never announced,
/// announced, unavailable or removed, and these are never taken for one another: a source that can not be looked at now
/// takes nothing back. The first announcement is the baseline; later ones hold the difference alone, and after a boundary
/// that put the baseline out of view it comes again. A source holds no state: all of it is folded from the history.
///
/// Register one with [`DeltaCollector`].
///
/// ```
/// use attachments::{Delta, DeltaCollector, DeltaItem, DeltaSource, Now};
/// use context_api::{Attachment, CollectError, CustomAttachment, Outbox, TurnView};
/// struct Branches;
/// impl DeltaSource for Branches {
///     fn kind(&self) -> &'static str { "branches" }
///     fn now<'a>(&self, _: &'a TurnView) -> Now<'a> {
///         Now::ready([DeltaItem::new("main", "where releases come from")])
///     }
///     fn tell(&self, _: &TurnView, delta: &Delta<'_>, _: &Outbox) -> Result<Attachment, CollectError> {
///         let text = delta.added.iter().map(|item| format!("{}: {}", item.name, item.text));
///         let text = text.collect::<Vec<_>>().join("\n");
///         Ok(CustomAttachment::default().kind("branches").text(text).into())
///     }
/// }
/// let collector = DeltaCollector(Branches);
/// # let _: &dyn context_api::Collector = &collector;
/// ```
pub trait DeltaSource: Send + Sync + 'static {
    /// Name of the type of attachment that it makes: the collector's label, and the kind of its keys in the ledger.
    fn kind(&self) -> &'static str;

    /// For whom it is.
    fn stage(&self) -> Stage {
        Stage::Everywhere
    }

    /// What there is to announce now. Only looks at memory.
    fn now<'a>(&self, turn: &'a TurnView) -> Now<'a>;

    /// The event that tells of `delta`, which is never empty. What is shortened is handed to `out` as decisions.
    ///
    /// # Errors
    /// The deadline has passed.
    fn tell(&self, turn: &TurnView, delta: &Delta<'_>, out: &Outbox) -> Result<Attachment, CollectError>;
}

/// One thing that is announced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeltaItem<'a> {
    /// Its name, unique within the source.
    pub name: Cow<'a, str>,
    /// What is said of it: another text is an update.
    pub text: Cow<'a, str>,
    /// What it belongs to, such as a server or a directory: while that can not be reached, the item is not gone.
    pub owner: Option<Cow<'a, str>>,
}

impl<'a> DeltaItem<'a> {
    /// An item that belongs to nothing.
    pub fn new(name: impl Into<Cow<'a, str>>, text: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), text: text.into(), owner: None }
    }

    /// Sets [`DeltaItem::owner`].
    pub fn owner(mut self, owner: Option<impl Into<Cow<'a, str>>>) -> Self {
        self.owner = owner.map(Into::into);
        self
    }
}

/// What there is of a name that was announced and is not among the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It is gone.
    Gone,
    /// It is there, and there is nothing to say of it.
    There,
    /// It can not be said now.
    Unavailable,
}

/// Says what there is of a missing item, by its name and owner.
pub type AskMissing<'a> = Box<dyn Fn(&str, Option<&str>) -> Missing + Send + 'a>;

/// What there is to announce.
#[non_exhaustive]
pub enum Now<'a> {
    /// Nobody says anything: nothing is announced, nothing is taken back.
    NotReported,
    /// It can not be looked at, for the reason given: nothing is taken back.
    Unavailable(Cow<'a, str>),
    /// All of it.
    Ready {
        /// The items, in any order.
        items: Vec<DeltaItem<'a>>,
        /// Asked of each name that was announced and is not among them.
        missing: AskMissing<'a>,
    },
}

impl<'a> Now<'a> {
    /// All of it: what is not among the items is gone.
    pub fn ready(items: impl IntoIterator<Item = DeltaItem<'a>>) -> Self {
        Self::Ready { items: items.into_iter().collect(), missing: Box::new(|_, _| Missing::Gone) }
    }
}

/// What is new since the model was told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delta<'a> {
    /// New or changed, in byte order of the names.
    pub added: Vec<DeltaItem<'a>>,
    /// Gone, in byte order.
    pub removed: Vec<String>,
    /// Whether nothing of the source is in view: the baseline.
    pub is_initial: bool,
}

impl Delta<'_> {
    /// The draft that tells of it, with what the ledger will remember it by.
    pub(crate) fn draft(&self, kind: &str, attachment: Attachment) -> Draft {
        let mut draft = Draft::new(attachment);
        for item in &self.added {
            draft = draft.key(DeliveryKey::new(kind, &*item.name, digest(&item.text)));
            if let Some(owner) = &item.owner {
                draft = draft.key(DeliveryKey::new(owners(kind), &*item.name, &**owner));
            }
        }
        for name in &self.removed {
            draft = draft.key(DeliveryKey::retract(kind, name)).key(DeliveryKey::retract(owners(kind), name));
        }
        draft
    }
}

/// Kind of the ledger's keys that say what an item belongs to.
fn owners(kind: &str) -> String {
    format!("{kind}.owner")
}

/// The collector of a [`DeltaSource`].
#[derive(Debug, Clone, Copy, Default)]
pub struct DeltaCollector<S>(pub S);

#[async_trait]
impl<S: DeltaSource> Collector for DeltaCollector<S> {
    fn label(&self) -> &str {
        self.0.kind()
    }

    fn stage(&self) -> Stage {
        self.0.stage()
    }

    fn work(&self) -> Work {
        Work::Memory
    }

    async fn collect(&self, turn: &TurnView, out: &Outbox) -> Result<(), CollectError> {
        let kind = self.0.kind();
        let (items, missing) = match self.0.now(turn) {
            Now::NotReported => return Ok(()),
            Now::Unavailable(why) => return Ok(out.decide(unavailable(kind, &why))?),
            Now::Ready { items, missing } => (items, missing),
        };
        let Some(delta) = difference(turn, kind, items, &missing, out)? else { return Ok(()) };
        let attachment = self.0.tell(turn, &delta, out)?;
        Ok(out.push(delta.draft(kind, attachment))?)
    }
}

/// Nothing can be said of a source, or of a part of it, now.
pub(crate) fn unavailable(subject: &str, why: &str) -> Decision {
    let why = if why.is_empty() { "no reason given".into() } else { safe_line(why) };
    let detail = format!("It can not be looked at now ({why}); what was announced of it still holds.");
    Decision::left_out(safe_line(subject), "source_unavailable", detail)
}
