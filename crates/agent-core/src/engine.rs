//! The engine: parts, caches and limits that sessions share.

use std::path::PathBuf;
use std::sync::Arc;

use context_api::{Cancel, GitRun, Job, MemoryScope};

use crate::builder::EngineBuilder;
use crate::parts::Parts;
use crate::{EngineOptions, Session, SessionOptions};

/// Parts, caches and limits that sessions share. Cheap to clone.
#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Parts>);

impl Engine {
    /// An engine for sessions that begin in `cwd`, with default parts; each can be replaced.
    pub fn builder(cwd: impl Into<PathBuf>) -> EngineBuilder {
        EngineBuilder::new(cwd.into())
    }

    /// A new conversation.
    pub fn session(&self, options: SessionOptions) -> Session {
        Session::new(Arc::clone(&self.0), options)
    }

    /// Starts to read memory files and the repository in the background, so that the first request finds them in the
    /// caches. Never blocks. What the first request shows is still taken when it is made.
    pub fn warm_up(&self) {
        let scope = MemoryScope::default()
            .cwd(self.0.options.cwd.clone())
            .additional_directories(self.0.options.additional_directories.clone());
        if let Some(loader) = self.0.memory.clone() {
            let scope = scope.clone();
            let _full = self.0.threads.spawn(Job::new(Cancel::new(), move || drop(loader.load(&scope))));
        }
        if let Some(git) = self.0.git.clone().filter(|_| self.0.options.include_git) {
            let options = self.0.options.git.clone();
            let job = move || drop(git.snapshot(&scope.cwd, &options, &GitRun::new()));
            let _full = self.0.threads.spawn(Job::new(Cancel::new(), job));
        }
    }

    /// What the engine was told.
    pub fn options(&self) -> &EngineOptions {
        &self.0.options
    }

    /// Labels of the collectors, in order.
    pub fn collectors(&self) -> Vec<String> {
        self.0.bus.labels().map(str::to_owned).collect()
    }

    /// The read policy.
    pub fn policy(&self) -> &Arc<dyn context_api::ReadPolicy> {
        &self.0.policy
    }

    /// The file system.
    pub fn files(&self) -> &Arc<dyn context_api::FileSystem> {
        &self.0.files
    }

    /// The memory loader, where there is one.
    pub fn memory(&self) -> Option<&Arc<dyn context_api::MemoryLoader>> {
        self.0.memory.as_ref()
    }

    /// The git source, where there is one.
    pub fn git(&self) -> Option<&Arc<dyn context_api::GitSource>> {
        self.0.git.as_ref()
    }

    /// Where bytes last that entries only name, where there is such a place.
    pub fn blobs(&self) -> Option<&Arc<dyn context_api::BlobStore>> {
        self.0.blobs.as_ref()
    }

    /// The file reader, where there is one: what an embedder's own read tool calls.
    pub fn reader(&self) -> Option<&Arc<dyn context_api::FileReader>> {
        self.0.reader.as_ref()
    }

    /// The source of skills on the disk, where there is one: what an embedder's own skill tool calls.
    pub fn skills(&self) -> Option<&Arc<dyn attachments::SkillSource>> {
        self.0.skills.as_ref()
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("options", &self.0.options)
            .field("bus", &self.0.bus)
            .finish_non_exhaustive()
    }
}
