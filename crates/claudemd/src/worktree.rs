//! Linked worktrees inside their main checkout.

use std::path::{Path, PathBuf};

use crate::gather::Level;
use crate::item::left_out;
use crate::scan::Scan;

/// A linked worktree inside its main checkout.
pub(crate) struct Twin {
    main: PathBuf,
    worktree: PathBuf,
}

impl Twin {
    /// Whether a directory belongs to the main checkout alone.
    pub(crate) fn covers(&self, dir: &Path) -> bool {
        dir.starts_with(&self.main) && !dir.starts_with(&self.worktree)
    }

    /// The worktree's own file for one of the main checkout.
    fn own(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(&self.main).ok().map(|below| self.worktree.join(below))
    }
}

impl Scan<'_> {
    /// The main checkout above a linked worktree that lies in it.
    pub(crate) fn main_checkout_above(&mut self) -> Option<Twin> {
        let limit = self.context.options.limits.git_file_bytes;
        let repository = self.repository()?;
        let main = repository.main_checkout(&mut self.disk, limit)?;
        let worktree = self.disk.canonical_dir(&repository.root);
        let below = worktree.strip_prefix(&main).ok()?.components().count();
        let spelled = repository.root.ancestors().nth(below)?.to_owned();
        (below > 0).then_some(Twin { main: spelled, worktree: repository.root })
    }

    /// A level of the main checkout without what the worktree has itself; private files stay.
    pub(crate) fn without_copies(&mut self, twin: &Twin, mut level: Level) -> Level {
        for items in [&mut level.project, &mut level.rules] {
            items.retain(|item| {
                let Some(own) = twin.own(&item.path).filter(|own| self.disk.peek(own).is_ok()) else {
                    return true;
                };
                let detail = format!("The worktree has its own: {}.", context_text::display_path(&own));
                self.decisions.push(left_out(&item.path, "main_checkout_copy", detail));
                false
            });
        }
        level
    }
}
