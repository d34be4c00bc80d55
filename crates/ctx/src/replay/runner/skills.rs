//! The reference skill tool, recorded as a call and its result.

use std::path::PathBuf;

use agent_core::attachments::SkillPlaces;
use agent_core::context_api::ContentBlock;
use anyhow::Context as _;
use serde::Serialize;

use super::Runner;
use crate::setup::raw;

#[derive(Serialize)]
struct SkillInput<'a> {
    skill: &'a str,
}

impl Runner {
    /// The model loads a skill by its name.
    pub(super) fn invoke_skill(&mut self, name: &str) -> anyhow::Result<String> {
        let input = raw(&SkillInput { skill: name })?;
        let engine = &self.live()?.engine;
        let source = engine.skills().context("there is no source of skills")?.clone();
        let load = source.find(&SkillPlaces::new(engine.options().cwd.clone()));
        let found = load.skills.iter().find(|skill| skill.spec.name == name);
        let path: Option<PathBuf> = found.and_then(|skill| skill.spec.path.clone());
        let (text, is_error) = match path.as_deref().map(|path| source.text(path)) {
            Some(Ok(text)) => (text.to_string(), false),
            Some(Err(error)) => (format!("The skill {name} can not be read: {error}."), true),
            None => (format!("There is no skill {name}."), true),
        };
        if let Some(path) = path.filter(|_| !is_error) {
            self.session()?.used_skill(name, &path);
        }
        self.record("Skill", name, input, vec![ContentBlock::text(text)], is_error, Vec::new())
    }
}
