//! The guard that embedders put into their tests.

use context_api::{PromptFacts, Section, SectionScope, SystemPrompt};
use prompt_assembly::{BasePrompt, CacheGuard, RequestParts, SectionRegistry, SectionSpec, assemble};

use crate::support::{facts, mcp_tool, tool};

fn request(parts: RequestParts) -> context_api::ModelRequest {
    assemble(parts).0
}

fn standard(facts: &PromptFacts) -> RequestParts {
    RequestParts::default().tools(vec![tool("Read")]).sections(SectionRegistry::standard().sections(facts))
}

fn breach(parts: RequestParts) -> String {
    CacheGuard::new().facts(&facts()).value("user", "ann").check(&request(parts)).unwrap_err().to_string()
}

#[test]
fn the_standard_prompt_passes_for_every_user() {
    let guard = CacheGuard::new().facts(&facts()).value("user", "ann");
    assert_eq!(guard.check(&request(standard(&facts()))), Ok(()));
    let other = PromptFacts::default().cwd("/elsewhere").model("m");
    assert_eq!(CacheGuard::compare(&request(standard(&facts())), &request(standard(&other))), Ok(()));
}

#[test]
fn volatile_values_are_named_with_their_place() {
    let global = |text: &str| {
        let mut parts = standard(&facts());
        parts.sections.insert(0, Section::default().key("own").scope(SectionScope::Global).text(text));
        parts
    };
    assert!(breach(global("You work for ann.")).starts_with("section own holds user: \"ann\""));
    assert!(breach(global("cwd is /home/ann/proj")).contains("working directory"));
    assert!(breach(global("Today is 2026-04-25.")).contains("a date: \"2026-04-25\""));
    let mut parts = standard(&facts());
    parts.tools.push(tool("Write").description("Writes below /home/ann/proj."));
    assert!(breach(parts).starts_with("tool Write holds"));
    assert!(
        breach(standard(&facts()).header("at 12:00:00".to_owned()))
            .starts_with("section header holds a time")
    );
    let plain = CacheGuard::new().value("user", "ann");
    assert_eq!(
        plain.check(&request(global("The planner can plan."))),
        Ok(()),
        "parts of words are no values"
    );
}

#[test]
fn what_is_the_sessions_may_hold_what_it_likes() {
    let mut parts = standard(&facts());
    parts.tools.push(mcp_tool("a", "x").description("Since 2026-04-25."));
    assert_eq!(CacheGuard::new().facts(&facts()).check(&request(parts)), Ok(()));
    let custom =
        BasePrompt::default().custom("It is 2026-04-25 in /home/ann/proj".to_owned()).choose(Vec::new);
    let parts = RequestParts::default().sections(custom);
    assert_eq!(
        CacheGuard::new().facts(&facts()).check(&request(parts)),
        Ok(()),
        "no boundary, nothing before it"
    );
}

#[test]
fn two_builds_that_differ_before_the_boundary_are_caught() {
    let build = |text: &'static str| {
        let mut registry = SectionRegistry::standard();
        registry
            .insert_after("identity", SectionSpec::global("own", "Own", move |_| text.to_owned()))
            .unwrap();
        request(RequestParts::default().sections(registry.sections(&facts())))
    };
    assert_eq!(CacheGuard::compare(&build("a"), &build("a")), Ok(()));
    assert_eq!(CacheGuard::compare(&build("a"), &build("b")).unwrap_err().place, "section own");
    let none = request(RequestParts::default());
    assert_eq!(CacheGuard::compare(&build("a"), &none).unwrap_err().place, "section identity");
}
