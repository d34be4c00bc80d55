//! One folder of skills.

use std::io;
use std::path::{Path, PathBuf};

use context_api::{Decision, DirEntry, FileKind, FileMeta, Fingerprint, Follow, ReadErrorKind, SkillSpec};
use context_text::{cut_chars, display_path, safe_line};

use super::file::{Head, NameProblem};
use super::{FILE, FoundSkill, FsSkillSource, SkillLoad};

/// A folder of skills, and what holds for those in it.
pub(super) struct Root {
    pub(super) path: PathBuf,
    /// What its skills have to lie within.
    within: Option<PathBuf>,
    /// What their names begin with, before a colon.
    prefix: Option<String>,
    /// The working directory that it lies below.
    below: Option<PathBuf>,
}

/// A skill's file, where it may be read.
struct Place {
    canonical: PathBuf,
    fingerprint: Fingerprint,
}

/// A folder as it was looked at.
struct Look {
    canonical: PathBuf,
    /// Canonical path of what its skills have to lie within.
    top: Option<PathBuf>,
    entries: Vec<DirEntry>,
}

impl Look {
    /// Whether policy and place allow a path, which is known by its canonical one too. If not, that is a decision.
    fn may_read(&self, source: &FsSkillSource, path: &Path, canonical: &Path, load: &mut SkillLoad) -> bool {
        let denied = source.denied(path).or_else(|| source.denied(canonical));
        let outside = || {
            let is_inside = self.top.as_ref().is_none_or(|top| canonical.starts_with(top));
            let detail = "A link leads out of what it belongs to; it is not followed.";
            (!is_inside).then(|| Decision::left_out(display_path(path), "outside_project", detail))
        };
        let problem = denied.or_else(outside);
        let is_allowed = problem.is_none();
        load.decisions.extend(problem);
        is_allowed
    }

    /// The canonical path of a skill's file and its facts. Only links need to be resolved.
    fn resolved(&self, source: &FsSkillSource, entry: &DirEntry) -> io::Result<(PathBuf, FileMeta)> {
        let path = self.canonical.join(&entry.name).join(FILE);
        if entry.kind == FileKind::Directory {
            let meta = source.files.metadata(&path, Follow::Nothing)?;
            if meta.kind != FileKind::Link {
                return Ok((path, meta));
            }
        }
        let canonical = source.files.canonicalize(&path)?;
        let meta = source.files.metadata(&canonical, Follow::Nothing)?;
        Ok((canonical, meta))
    }
}

impl Root {
    pub(super) fn of_user(path: PathBuf) -> Self {
        Self { path, within: None, prefix: None, below: None }
    }

    pub(super) fn within(path: PathBuf, top: &Path) -> Self {
        Self { path, within: Some(top.to_path_buf()), prefix: None, below: None }
    }

    pub(super) fn prefixed(mut self, plugin: &str) -> Self {
        self.prefix = Some(plugin.to_owned());
        self
    }

    pub(super) fn nested(mut self, cwd: &Path) -> Self {
        self.below = Some(cwd.to_path_buf());
        self
    }

    /// Adds its skills to what was found.
    pub(super) fn list(&self, source: &FsSkillSource, load: &mut SkillLoad) {
        let look = match self.look(source, load) {
            Ok(Some(look)) => look,
            Ok(None) => return,
            Err(error) if is_absent(&error) => return,
            Err(error) => return self.unreachable(&self.path, &error, load),
        };
        for entry in &look.entries {
            let folder = self.path.join(&entry.name);
            match self.place(source, &look, entry, load) {
                Ok(Some(place)) => self.add(source, &folder, &place, load),
                Ok(None) => {}
                Err(error) => self.unreachable(&folder, &error, load),
            }
        }
    }

    /// What may be skills in it, in byte order of the names.
    fn look(&self, source: &FsSkillSource, load: &mut SkillLoad) -> io::Result<Option<Look>> {
        let canonical = source.files.canonicalize(&self.path)?;
        let top = self.within.as_ref();
        let top = top.map(|top| source.files.canonicalize(top).unwrap_or_else(|_| top.clone()));
        let mut look = Look { canonical, top, entries: Vec::new() };
        if !look.may_read(source, &self.path, &look.canonical, load) {
            return Ok(None);
        }
        for entry in source.files.read_dir(&look.canonical)? {
            let entry = entry?;
            if matches!(entry.kind, FileKind::Directory | FileKind::Link) {
                look.entries.push(entry);
            }
        }
        look.entries.sort_by(|a, b| a.name.cmp(&b.name));
        let most = source.options.limits.folder_skills;
        if look.entries.len() > most {
            let detail =
                format!("Only the first {most} of its {} folders are looked at.", look.entries.len());
            load.decisions.push(Decision::cut(display_path(&self.path), "too_many_skills", detail));
            look.entries.truncate(most);
        }
        Ok(Some(look))
    }

    /// The file of a skill; `None` where there is none that may be read.
    fn place(
        &self,
        source: &FsSkillSource,
        look: &Look,
        entry: &DirEntry,
        load: &mut SkillLoad,
    ) -> io::Result<Option<Place>> {
        let folder = self.path.join(&entry.name);
        let path = folder.join(FILE);
        let (canonical, meta) = match look.resolved(source, entry) {
            Ok(resolved) => resolved,
            Err(error) if is_absent(&error) => {
                let detail = format!("The folder has no {FILE}; it is no skill.");
                load.decisions.push(Decision::left_out(display_path(&folder), "no_skill_file", detail));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        if !look.may_read(source, &path, &canonical, load) {
            return Ok(None);
        }
        if meta.kind != FileKind::File {
            let detail = format!("{FILE} is no regular file.");
            load.decisions.push(Decision::left_out(display_path(&path), "not_a_regular_file", detail));
            return Ok(None);
        }
        Ok(Some(Place { canonical, fingerprint: meta.fingerprint }))
    }

    fn add(&self, source: &FsSkillSource, folder: &Path, place: &Place, load: &mut SkillLoad) {
        let head = match source.head(&place.canonical, place.fingerprint) {
            Ok(head) => head,
            Err(error) => return self.unreachable(folder, &error, load),
        };
        if head.is_binary {
            let detail = format!("{FILE} is no text.");
            return load.decisions.push(Decision::left_out(display_path(folder), "binary", detail));
        }
        load.decisions.extend(head.problem(&folder.join(FILE)));
        let name = self.name(folder, &head, source.options.limits.name_chars, load);
        let spec = SkillSpec::default()
            .name(name)
            .description(head.description.clone())
            .when_to_use(head.when_to_use.clone())
            .path(Some(place.canonical.clone()))
            .plugin(self.prefix.clone());
        load.skills.push(FoundSkill {
            spec,
            root: self.path.clone(),
            is_nested: self.below.is_some(),
            is_listed: head.is_listed,
        });
    }

    /// The name that a skill is called by: its own where that can be one, else the folder's.
    fn name(&self, folder: &Path, head: &Head, most: usize, load: &mut SkillLoad) -> String {
        let of_folder =
            folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = match head.usable_name(most) {
            Ok(name) => name.to_owned(),
            Err(problem) => {
                if problem == NameProblem::Unusable {
                    let detail = "Its name is no name of letters, digits, dots, dashes and underscores; the folder's is taken.";
                    load.decisions.push(Decision::cut(display_path(folder), "name_not_usable", detail));
                }
                cut_chars(&safe_line(&of_folder), most).to_owned()
            }
        };
        match (&self.prefix, &self.below) {
            (Some(plugin), _) => format!("{}:{name}", safe_line(plugin)),
            (None, Some(cwd)) if load.skills.iter().any(|known| known.spec.name == name) => {
                format!("{}:{name}", self.place_below(cwd))
            }
            _ => name,
        }
    }

    /// Where it lies below the working directory, for a name that is taken.
    fn place_below(&self, cwd: &Path) -> String {
        let directory = self.path.parent().and_then(Path::parent).unwrap_or(&self.path);
        display_path(directory.strip_prefix(cwd).unwrap_or(directory))
    }

    /// Says that something can not be looked at now: what was announced of the folder is not gone.
    fn unreachable(&self, path: &Path, error: &io::Error, load: &mut SkillLoad) {
        let kind = ReadErrorKind::from(error);
        let detail = format!("It can not be looked at: {kind}.");
        load.decisions.push(Decision::failed(display_path(path), kind.reason(), detail));
        if !load.unreachable.contains(&self.path) {
            load.unreachable.push(self.path.clone());
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
