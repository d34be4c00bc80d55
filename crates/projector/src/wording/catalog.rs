//! Texts about skills, tools, agents and servers.

use context_api::{
    AgentListingDelta, AgentMention, AnnouncedItem, DeferredToolsDelta, DynamicSkill, InvokedSkill,
    InvokedSkills, ListedSkill, McpInstructionsDelta, SkillDiscovery, SkillListing, ToolNames,
};

use super::line::{count, flat, lines, list, one, path, quoted, row};

pub(super) fn agent_mention(it: &AgentMention, names: &ToolNames) -> String {
    let (agent, tool) = (one(&it.agent), &names.agent);
    format!(
        "The user asks for the agent {agent}. Start it with the tool {tool}, and give it what it needs to know."
    )
}

fn skill(it: &ListedSkill) -> String {
    let name = one(&it.name);
    let cut = if it.cut > 0 { " …" } else { "" };
    match it.description.trim() {
        "" => name.into_owned(),
        text => format!("{name}: {}{cut}", flat(text)),
    }
}

pub(super) fn skill_listing(it: &SkillListing, names: &ToolNames) -> String {
    let head = match (it.skills.is_empty(), it.is_initial) {
        (true, _) => String::new(),
        (false, true) => {
            format!("Skills that the tool {} can load; load one when a task matches it:", names.skill)
        }
        (false, false) => format!("More skills that the tool {} can load from now on:", names.skill),
    };
    lines(&[head, list(&it.skills, skill), gone("These skills exist no more", &it.removed)])
}

fn gone(head: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("{head}: {}", row(names)) }
}

pub(super) fn skill_discovery(it: &SkillDiscovery, names: &ToolNames) -> String {
    if it.skills.is_empty() {
        return String::new();
    }
    let tool = &names.skill;
    let framing = match it.framed {
        true => {
            format!(
                "A skill is a text that tells how to do one kind of task; the tool {tool} loads it by its name."
            )
        }
        false => String::new(),
    };
    let head = format!("Skills that may fit this task (load with the tool {tool} if one does):");
    lines(&[framing, head, list(&it.skills, skill)])
}

pub(super) fn dynamic_skill(it: &DynamicSkill, _: &ToolNames) -> String {
    let shown = path(&it.display_path, &it.directory);
    format!("{} found in {shown}: {}", count(it.skills.len() as u64, "skill"), row(&it.skills))
}

pub(super) fn invoked_skills(it: &InvokedSkills, _: &ToolNames) -> String {
    if it.skills.is_empty() {
        return String::new();
    }
    let head = "Skills that were used earlier in this session. Their texts still hold; this is no new request to use them.";
    let skills = it.skills.iter().map(invoked);
    lines(&[head.to_owned()].into_iter().chain(skills).collect::<Vec<_>>())
}

fn invoked(it: &InvokedSkill) -> String {
    let at =
        it.path.as_deref().map(|at| format!(" ({})", context_text::display_path(at))).unwrap_or_default();
    format!("Skill {}{at}:\n{}", one(&it.key), quoted(&it.text))
}

fn item(it: &AnnouncedItem) -> String {
    match it.text.trim() {
        "" => one(&it.name).into_owned(),
        text => format!("{}: {}", one(&it.name), flat(text)),
    }
}

pub(super) fn deferred_tools_delta(it: &DeferredToolsDelta, _: &ToolNames) -> String {
    let head = match (it.added.is_empty(), it.is_initial) {
        (true, _) => "",
        (false, true) => "Tools whose definitions are kept back until you look them up by name:",
        (false, false) => "More tools whose definitions are kept back until you look them up by name:",
    };
    lines(&[
        head.to_owned(),
        list(&it.added, item),
        gone("These tools can not be used any more", &it.removed),
    ])
}

pub(super) fn agent_listing_delta(it: &AgentListingDelta, names: &ToolNames) -> String {
    let head = match (it.added.is_empty(), it.is_initial) {
        (true, _) => String::new(),
        (false, true) => format!("Agents that the tool {} can start:", names.agent),
        (false, false) => format!("New or changed agents that the tool {} can start:", names.agent),
    };
    lines(&[head, list(&it.added, item), gone("These agents can not be started any more", &it.removed)])
}

pub(super) fn mcp_instructions_delta(it: &McpInstructionsDelta, _: &ToolNames) -> String {
    let head = match (it.added.is_empty(), it.is_initial) {
        (true, _) => "",
        (false, true) => "How MCP servers say that their tools and resources are used:",
        (false, false) => "New or changed instructions of MCP servers, which hold instead of earlier ones:",
    };
    let servers = it.added.iter().map(|it| format!("Server {}:\n{}", one(&it.name), quoted(&it.text)));
    let gone = gone("These MCP servers are gone, and their instructions with them", &it.removed);
    lines(&[head.to_owned()].into_iter().chain(servers).chain([gone]).collect::<Vec<_>>())
}
