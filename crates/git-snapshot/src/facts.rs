//! The cheap facts: where `HEAD` points, the main branch, the user.

use context_api::Head;
use gix::bstr::{BStr, ByteSlice};
use gix::prelude::ObjectIdExt;

/// Where `HEAD` points.
pub(crate) fn head(repo: &gix::Repository) -> Result<Head, gix::Error> {
    let head = repo.head()?;
    Ok(match head.kind {
        gix::head::Kind::Symbolic(ref reference) => Head::Branch { name: text(reference.name.shorten()) },
        gix::head::Kind::Unborn(ref name) => Head::Unborn { name: text(name.shorten()) },
        gix::head::Kind::Detached { target, .. } => {
            Head::Detached { id: target.attach(repo).shorten_or_id().to_string() }
        }
    })
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
