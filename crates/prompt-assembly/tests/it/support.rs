//! Facts and messages to build requests from.

use std::sync::Arc;

use context_api::{
    AgentSpec, ContentBlock, McpServer, ModelBlock, ModelMessage, PromptFacts, RawJson, Role, ToolSpec,
};
use uuid::Uuid;

pub(crate) fn facts() -> PromptFacts {
    PromptFacts::default()
        .model("model-1")
        .knowledge_cutoff("January 2026".to_owned())
        .cwd("/home/ann/proj")
        .additional_directories(vec!["/srv/shared".into()])
        .is_git(true)
        .platform("linux")
        .shell("/bin/bash".to_owned())
        .os_version("Linux 6.1".to_owned())
        .language("French".to_owned())
        .scratchpad(std::path::PathBuf::from("/tmp/scratch-7"))
        .memory_directory(std::path::PathBuf::from("/home/ann/.claude/memory"))
        .turn_target(500_000)
        .agents(vec![AgentSpec::default().name("explorer")])
        .has_skills(true)
        .mcp(vec![McpServer::default().name("tracker").instructions("Search before you open.".to_owned())])
}

pub(crate) fn user(text: &str) -> Arc<ModelMessage> {
    message(Role::User, vec![ContentBlock::text(text)])
}

pub(crate) fn assistant(text: &str) -> Arc<ModelMessage> {
    message(Role::Assistant, vec![ContentBlock::text(text)])
}

pub(crate) fn message(role: Role, blocks: Vec<ContentBlock>) -> Arc<ModelMessage> {
    Arc::new(ModelMessage::new(role, blocks.into_iter().map(ModelBlock::plain).collect()))
}

pub(crate) fn from_entry(entry: u128, message: Arc<ModelMessage>) -> Arc<ModelMessage> {
    let mut message = Arc::unwrap_or_clone(message);
    for block in &mut message.blocks {
        block.source = Some(Uuid::from_u128(entry));
    }
    Arc::new(message)
}

pub(crate) fn tool(name: &str) -> ToolSpec {
    ToolSpec::default().name(name).description("Does it.").input_schema(RawJson::empty_object())
}

pub(crate) fn mcp_tool(server: &str, name: &str) -> ToolSpec {
    tool(&format!("mcp__{server}__{name}")).server(server.to_owned())
}
