//! Skills as folders with a `SKILL.md`.

mod file;
mod places;
mod root;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use context_api::{Access, Decision, FileSystem, Fingerprint, ReadErrorKind, ReadPolicy};
use context_text::{decode, display_path};

use super::{FoundSkill, SkillLimits, SkillLoad, SkillPlaces, SkillSource};
use file::{Head, read};
use root::Root;

/// Where folders of skills lie, below a home, a project, a plugin.
const FOLDER: [&str; 2] = [".claude", "skills"];
/// The file that makes a folder a skill.
const FILE: &str = "SKILL.md";

/// Where skills of the user and of plugins lie.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SkillOptions {
    /// The home directory: skills of the user.
    pub home: Option<PathBuf>,
    /// Plugins that may bring skills.
    pub plugins: Vec<SkillPlugin>,
    /// Limits.
    pub limits: SkillLimits,
}

/// A plugin that may bring skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillPlugin {
    /// Its name: that of its skills begins with it and a colon.
    pub name: String,
    /// Where it lies; its skills are in `skills` below.
    pub directory: PathBuf,
}

/// Skills on the disk, by precedence: the user's (`~/.claude/skills`), the project's (`.claude/skills` of the working directory
/// and of those above it up to the repository's root), those of plugins, and those below a touched path.
///
/// A repository's skills lie within it: a link that leads out is left out, with a decision.
pub struct FsSkillSource {
    files: Arc<dyn FileSystem>,
    policy: Arc<dyn ReadPolicy>,
    options: SkillOptions,
    /// What was read before, by canonical path: shared by all sessions, and true as long as the file is the same.
    heads: Mutex<BTreeMap<PathBuf, (Fingerprint, Arc<Head>)>>,
}

impl FsSkillSource {
    /// Skills in `files` that `policy` lets be read.
    pub fn new(files: Arc<dyn FileSystem>, policy: Arc<dyn ReadPolicy>, options: SkillOptions) -> Self {
        Self { files, policy, options, heads: Mutex::default() }
    }

    fn roots(&self, places: &SkillPlaces, load: &mut SkillLoad) -> Vec<Root> {
        let below = |directory: &Path| directory.join(FOLDER[0]).join(FOLDER[1]);
        let user = self.options.home.iter().map(|home| Root::of_user(below(home)));
        let (directories, top) = places::project(&*self.files, &places.cwd);
        let project = directories.iter().map(|directory| Root::within(below(directory), &top));
        let plugins = self.options.plugins.iter().map(|plugin| {
            Root::within(plugin.directory.join(FOLDER[1]), &plugin.directory).prefixed(&plugin.name)
        });
        let nested = places::nested(places, self.options.limits.touched_directories, load);
        let known = places.known.iter().cloned();
        let nested: BTreeSet<PathBuf> =
            nested.iter().map(|directory| below(directory)).chain(known).collect();
        let nested = nested.into_iter().map(|root| Root::within(root, &top).nested(&places.cwd));
        user.chain(project).chain(plugins).chain(nested).collect()
    }

    /// The rule that forbids a path, where one does.
    fn denied(&self, path: &Path) -> Option<Decision> {
        match self.policy.check(path) {
            Access::Allowed => None,
            Access::Denied { rule } => {
                let detail = format!("The rule `{}` denies reading it.", context_text::safe_line(&rule));
                Some(Decision::left_out(display_path(path), "denied_by_policy", detail))
            }
        }
    }

    /// What stands at the head of a file that was read before, or is read now.
    fn head(&self, canonical: &Path, fingerprint: Fingerprint) -> std::io::Result<Arc<Head>> {
        let mut heads = self.heads.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((known, head)) = heads.get(canonical)
            && *known == fingerprint
        {
            return Ok(Arc::clone(head));
        }
        drop(heads);
        let (bytes, meta) = read(&*self.files, canonical, self.options.limits.head_bytes)?;
        let is_whole = meta.fingerprint.len <= self.options.limits.head_bytes;
        let head = Arc::new(Head::of(&bytes, is_whole));
        heads = self.heads.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if heads.len() >= self.options.limits.kept_heads {
            heads.clear();
        }
        heads.insert(canonical.to_path_buf(), (meta.fingerprint, Arc::clone(&head)));
        Ok(head)
    }
}

impl SkillSource for FsSkillSource {
    fn find(&self, places: &SkillPlaces) -> SkillLoad {
        let mut load = SkillLoad::default();
        let mut seen = BTreeSet::new();
        for root in self.roots(places, &mut load) {
            if seen.insert(root.path.clone()) {
                root.list(self, &mut load);
            }
        }
        load
    }

    fn text(&self, path: &Path) -> Result<Arc<str>, ReadErrorKind> {
        if let Access::Denied { rule } = self.policy.check(path) {
            return Err(ReadErrorKind::Policy { rule });
        }
        let canonical = self.files.canonicalize(path).map_err(|error| ReadErrorKind::from(&error))?;
        // The path was canonical when the skill was found: a link that stands there now leads where nobody looked.
        if canonical != path {
            return Err(ReadErrorKind::Special);
        }
        let limit = self.options.limits.text_bytes;
        let (bytes, meta) = read(&*self.files, path, limit).map_err(|error| ReadErrorKind::from(&error))?;
        if meta.fingerprint.len > limit {
            return Err(ReadErrorKind::TooLarge { size: meta.fingerprint.len });
        }
        let text = decode(&bytes).text;
        Ok(context_text::split_frontmatter(&text).1.trim().into())
    }
}
