//! Steps that end a session and go on with it.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agent_core::transcript::JsonlStore;
use agent_core::{IoPool, PoolLimits};
use anyhow::{Context as _, ensure};

use super::super::seen_store::DIRECTORY;
use super::super::step::TranscriptSpec;
use super::super::workspace::Workspace;
use super::{Live, Runner};
use crate::setup::wait;

/// The store of a scenario; what an earlier run in the same workspace left there goes away.
pub(super) fn store(workspace: &Workspace) -> anyhow::Result<JsonlStore> {
    let root = workspace.dir(DIRECTORY);
    if root.exists() {
        fs::remove_dir_all(&root).with_context(|| format!("can not remove {}", root.display()))?;
    }
    Ok(JsonlStore::new(root, Arc::new(IoPool::new(PoolLimits::default()))))
}

impl Runner {
    /// Ends the session once all of it is written; its id.
    fn ended(&mut self) -> anyhow::Result<String> {
        let mut live = self.live.take().context("there is no session yet")?;
        let unwritten = wait(live.session.flush())?;
        ensure!(unwritten.is_empty(), "the session can not be written: {}", unwritten[0].detail);
        Ok(live.session.id().to_owned())
    }

    /// A new process goes on with the session.
    pub(super) fn resume(&mut self) -> anyhow::Result<()> {
        let id = self.ended()?;
        let (engine, options) =
            self.config.engine(&self.workspace, &self.disk, &self.misbehaving, &self.store)?;
        let session = wait(engine.resume(&id, options))??;
        self.live = Some(Live { engine, session });
        Ok(())
    }

    pub(super) fn fork(&mut self) -> anyhow::Result<()> {
        let from = self.ended()?;
        self.forks += 1;
        let (engine, options) =
            self.config.engine(&self.workspace, &self.disk, &self.misbehaving, &self.store)?;
        let options = options.id(format!("scenario-fork-{}", self.forks));
        let session = wait(engine.fork(&from, None, options))??;
        self.live = Some(Live { engine, session });
        Ok(())
    }

    /// Damages the session's file.
    pub(super) fn damage(&mut self, spec: &TranscriptSpec) -> anyhow::Result<()> {
        let file = self.session_file()?;
        let mut text =
            fs::read_to_string(&file).with_context(|| format!("can not read {}", file.display()))?;
        match spec {
            TranscriptSpec::Append(raw) => text.push_str(raw),
            TranscriptSpec::ReplaceLine(number, raw) => {
                let mut lines: Vec<&str> = text.lines().collect();
                let place = number.checked_sub(1).and_then(|place| lines.get_mut(place));
                *place.with_context(|| format!("there is no line {number}"))? = raw;
                text = lines.join("\n") + "\n";
            }
        }
        fs::write(&file, text).with_context(|| format!("can not write {}", file.display()))
    }

    fn session_file(&mut self) -> anyhow::Result<PathBuf> {
        let session = &mut self.live.as_mut().context("there is no session yet")?.session;
        let unwritten = wait(session.flush())?;
        ensure!(unwritten.is_empty(), "the session can not be written: {}", unwritten[0].detail);
        Ok(self.store.file(session.id())?)
    }
}
