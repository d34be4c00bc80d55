//! How the user wants answers to be written.

use context_api::{Attachment, CollectError, Outbox, OutputStyle, Stage, TurnView};

use super::{DeltaLimits, announced};
use crate::delta::{Delta, DeltaItem, DeltaSource, Now};

/// Announces an output style other than the default: at entry, on a change, after a boundary, and that it holds no more.
#[derive(Debug, Clone, Default)]
pub struct OutputStyleSource(pub DeltaLimits);

impl DeltaSource for OutputStyleSource {
    fn kind(&self) -> &'static str {
        "output_style"
    }

    fn stage(&self) -> Stage {
        Stage::MainThread
    }

    fn now<'a>(&self, turn: &'a TurnView) -> Now<'a> {
        let style = turn.host.modes.output_style.as_ref().filter(|style| !style.name.is_empty());
        Now::ready(style.map(|style| DeltaItem::new(style.name.as_str(), style.text.as_str())))
    }

    fn tell(&self, _: &TurnView, delta: &Delta<'_>, out: &Outbox) -> Result<Attachment, CollectError> {
        match delta.added.first() {
            None => Ok(OutputStyle::default().into()),
            Some(style) => {
                let style = announced(style, self.0.style_chars, out)?;
                Ok(OutputStyle::default().name(style.name).text(&*style.text).into())
            }
        }
    }
}
