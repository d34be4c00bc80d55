//! Steps that change the workspace.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use agent_core::context_api::PastedImage;
use anyhow::{Context as _, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::super::step::Step;
use super::{Runner, unix_steps};
use crate::commands::Refused;

impl Runner {
    pub(super) fn disk_step(&mut self, step: Step) -> anyhow::Result<()> {
        match step {
            Step::Write(files) => files.iter().try_for_each(|(path, text)| self.write(path, text.as_bytes())),
            Step::WriteBase64(files) => files.iter().try_for_each(|(path, data)| {
                let bytes = STANDARD.decode(data).with_context(|| format!("{path} is no base64"))?;
                self.write(path, &bytes)
            }),
            Step::Delete(paths) => paths.iter().try_for_each(|path| self.delete(path)),
            Step::Symlink(links) => links.iter().try_for_each(|(link, target)| self.symlink(link, target)),
            Step::Rename(pairs) => pairs.iter().try_for_each(|(from, to)| self.rename(from, to)),
            Step::Mtime(times) => times.iter().try_for_each(|(path, time)| self.mtime(path, time)),
            Step::Mode(modes) => modes.iter().try_for_each(|(path, mode)| self.mode(path, mode)),
            Step::Owner(owners) => owners.iter().try_for_each(|(path, owner)| self.owner(path, *owner)),
            Step::Fifo(paths) => paths.iter().try_for_each(|path| self.fifo(path)),
            Step::Git { commands, directory } => self.git(&commands, directory.as_deref()),
            Step::Run(command) => self.run(&command),
            other => anyhow::bail!("{other:?} can not be run here"),
        }
    }

    fn place(&self, path: &str) -> anyhow::Result<PathBuf> {
        let real = self.workspace.on_disk(path)?;
        if let Some(parent) = real.parent() {
            fs::create_dir_all(parent).with_context(|| format!("can not make the directories of {path}"))?;
        }
        Ok(real)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let real = self.place(path)?;
        // What real programs read (git, a shell) needs the paths on the disk.
        let for_programs = path.contains(".git/") || path.ends_with(".gitconfig") || bytes.starts_with(b"#!");
        let text = std::str::from_utf8(bytes)
            .ok()
            .filter(|_| for_programs)
            .map(|text| self.workspace.seen_to_real(text));
        fs::write(&real, text.as_ref().map_or(bytes, String::as_bytes))
            .with_context(|| format!("can not write {path}"))
    }

    fn delete(&self, path: &str) -> anyhow::Result<()> {
        let real = self.workspace.on_disk(path)?;
        let meta = fs::symlink_metadata(&real).with_context(|| format!("can not delete {path}"))?;
        let done = if meta.is_dir() { fs::remove_dir_all(&real) } else { fs::remove_file(&real) };
        done.with_context(|| format!("can not delete {path}"))
    }

    fn symlink(&self, link: &str, target: &str) -> anyhow::Result<()> {
        let target = self.workspace.seen_to_real(target);
        let link = self.place(link)?;
        unix_steps::symlink(&target, &link).with_context(|| format!("can not link {}", link.display()))
    }

    fn rename(&self, from: &str, to: &str) -> anyhow::Result<()> {
        let (from, to) = (self.workspace.on_disk(from)?, self.place(to)?);
        fs::rename(&from, &to).with_context(|| format!("can not rename {}", from.display()))
    }

    fn mtime(&self, path: &str, time: &str) -> anyhow::Result<()> {
        let time: jiff::Timestamp = time.parse().with_context(|| format!("{time} is no time"))?;
        let file =
            fs::File::open(self.workspace.on_disk(path)?).with_context(|| format!("can not open {path}"))?;
        file.set_modified(moment(time)?).with_context(|| format!("can not set the time of {path}"))
    }

    fn mode(&self, path: &str, mode: &str) -> anyhow::Result<()> {
        let bits = u32::from_str_radix(mode, 8).with_context(|| format!("{mode} is no octal mode"))?;
        unix_steps::set_mode(&self.workspace.on_disk(path)?, bits)
            .with_context(|| format!("can not set the mode of {path}"))
    }

    fn owner(&self, path: &str, owner: u32) -> anyhow::Result<()> {
        unix_steps::set_owner(&self.workspace.on_disk(path)?, owner)
            .with_context(|| format!("can not set the owner of {path}; it needs root"))
    }

    fn fifo(&self, path: &str) -> anyhow::Result<()> {
        let made = Command::new("mkfifo").arg(self.place(path)?).status().context("can not start mkfifo")?;
        ensure!(made.success(), "can not make the FIFO {path}");
        Ok(())
    }

    fn git(&self, commands: &[String], directory: Option<&str>) -> anyhow::Result<()> {
        let directory = self.workspace.on_disk(directory.unwrap_or("."))?;
        for command in commands {
            let real = self.workspace.seen_to_real(command);
            let words = shlex::split(&real).with_context(|| format!("can not split `{command}`"))?;
            let words = words.iter().skip(usize::from(words.first().is_some_and(|first| first == "git")));
            let mut git = Command::new("git");
            git.args(words).current_dir(&directory);
            self.finish(&mut git, &format!("git {command}"))?;
        }
        Ok(())
    }

    fn run(&self, command: &str) -> anyhow::Result<()> {
        if !self.allow_run {
            return Err(
                Refused("the scenario wants to run a program: give --allow-run to let it".into()).into()
            );
        }
        let memory = self.workspace.dir("home/.claude/projects/-workspace-proj/memory");
        if command.contains("MEMDIR") {
            fs::create_dir_all(&memory)?;
        }
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(self.workspace.seen_to_real(command))
            .current_dir(self.workspace.dir("proj"))
            .env("PROJ", self.workspace.dir("proj"))
            .env("HOMEDIR", self.workspace.dir("home"))
            .env("OUT", self.workspace.dir("out"))
            .env("MANAGED", self.workspace.dir("managed"))
            .env("MEMDIR", memory);
        self.finish(&mut shell, command)
    }

    /// Runs a program with a fixed identity and fixed dates, without the user's configuration.
    fn finish(&self, command: &mut Command, what: &str) -> anyhow::Result<()> {
        let output = command
            .env("HOME", self.workspace.dir("home"))
            .env_remove("XDG_CONFIG_HOME")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_AUTHOR_NAME", "Scenario")
            .env("GIT_AUTHOR_EMAIL", "scenario@example.com")
            .env("GIT_AUTHOR_DATE", "2026-04-25T12:00:00Z")
            .env("GIT_COMMITTER_NAME", "Scenario")
            .env("GIT_COMMITTER_EMAIL", "scenario@example.com")
            .env("GIT_COMMITTER_DATE", "2026-04-25T12:00:00Z")
            .stdin(std::process::Stdio::null())
            .output()
            .with_context(|| format!("can not start `{what}`"))?;
        ensure!(
            output.status.success(),
            "`{what}` failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(())
    }
}

fn moment(time: jiff::Timestamp) -> anyhow::Result<std::time::SystemTime> {
    let after =
        std::time::Duration::from_nanos(u64::try_from(time.as_nanosecond()).context("a time before 1970")?);
    Ok(std::time::UNIX_EPOCH + after)
}

/// A picture of the workspace as somebody would paste it.
pub(super) fn image(path: &Path) -> anyhow::Result<PastedImage> {
    let mut bytes = Vec::new();
    fs::File::open(path)
        .with_context(|| format!("can not open {}", path.display()))?
        .read_to_end(&mut bytes)?;
    let media_type = match &bytes {
        bytes if bytes.starts_with(b"\x89PNG") => "image/png",
        bytes if bytes.starts_with(b"\xff\xd8") => "image/jpeg",
        bytes if bytes.starts_with(b"GIF8") => "image/gif",
        bytes if bytes.get(8..12) == Some(b"WEBP") => "image/webp",
        _ => anyhow::bail!("{} is no picture", path.display()),
    };
    Ok(PastedImage::default().media_type(media_type).data(STANDARD.encode(bytes)))
}
