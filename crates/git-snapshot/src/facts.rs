//! The cheap facts: where `HEAD` points, the main branch, the user.

use context_api::Head;
use gix::bstr::{BStr, ByteSlice};
use gix::prelude::ObjectIdExt;

/// Names that lead to other names on the way from `HEAD` to a commit: as many as git follows.
const NAMES: usize = 4;

/// Where `HEAD` points, and the commit that is there. A branch may be another name of one.
pub(crate) fn tip(repo: &gix::Repository) -> Result<(Head, Option<gix::ObjectId>), gix::Error> {
    let reference = match repo.head()?.kind {
        gix::head::Kind::Symbolic(reference) => reference,
        gix::head::Kind::Unborn(name) => return Ok((Head::Unborn { name: text(name.shorten()) }, None)),
        gix::head::Kind::Detached { target, .. } => {
            let id = target.attach(repo).shorten_or_id().to_string();
            return Ok((Head::Detached { id }, Some(target)));
        }
    };
    let gix::refs::Reference { mut name, mut target, .. } = reference;
    for _ in 0..NAMES {
        match target {
            gix::refs::Target::Object(id) => {
                return Ok((Head::Branch { name: text(name.shorten()) }, Some(id)));
            }
            gix::refs::Target::Symbolic(next) => {
                let Some(found) = repo.try_find_reference(&next)? else {
                    return Ok((Head::Unborn { name: text(next.shorten()) }, None));
                };
                (name, target) = (next, found.inner.target);
            }
        }
    }
    Ok((Head::Branch { name: text(name.shorten()) }, target.try_into_id().ok()))
}

/// The branch that others merge into, where the repository says so.
///
/// Asked in this order: the head of the remote `origin`; that of the only remote; a branch `main` or `master`; the
/// branch of `init.defaultBranch`. The current branch is never a guess.
pub(crate) fn main_branch(repo: &gix::Repository) -> Option<String> {
    remote_head(repo, "origin")
        .or_else(|| only_remote(repo).and_then(|name| remote_head(repo, &name)))
        .or_else(|| ["main", "master"].into_iter().find(|name| has_branch(repo, name)).map(str::to_owned))
        .or_else(|| configured(repo).filter(|name| has_branch(repo, name)))
}

/// `user.name`, where it is set to something.
pub(crate) fn user(repo: &gix::Repository) -> Option<String> {
    let name = repo.config_snapshot().string("user.name")?;
    let name = text(name.trim().as_bstr());
    (!name.is_empty()).then_some(name)
}

fn remote_head(repo: &gix::Repository, remote: &str) -> Option<String> {
    let below = format!("refs/remotes/{remote}/");
    let head = repo.try_find_reference(format!("{below}HEAD").as_str()).ok()??;
    let target = head.target();
    let name = target.try_name()?.as_bstr().strip_prefix(below.as_bytes())?;
    Some(text(name.as_bstr()))
}

fn only_remote(repo: &gix::Repository) -> Option<String> {
    let names = repo.remote_names();
    let mut names = names.iter();
    let first = names.next()?.to_str().ok()?.to_owned();
    names.next().is_none().then_some(first)
}

fn has_branch(repo: &gix::Repository, name: &str) -> bool {
    matches!(repo.try_find_reference(format!("refs/heads/{name}").as_str()), Ok(Some(_)))
}

fn configured(repo: &gix::Repository) -> Option<String> {
    repo.config_snapshot().string("init.defaultBranch").map(|name| text(name.as_bstr()))
}

fn text(name: &BStr) -> String {
    name.to_str_lossy().into_owned()
}
