//! The registry and its texts.

use context_api::{PromptFacts, Section, SectionScope, SystemPrompt, ToolNames};
use context_text::estimate_tokens;
use prompt_assembly::{SectionRegistry, SectionSpec, UnknownSection};

use crate::support::facts;

fn global(sections: &[Section]) -> Vec<&str> {
    sections.iter().filter(|s| s.scope == SectionScope::Global).map(|s| s.text.as_str()).collect()
}

fn keys(sections: &[Section]) -> Vec<&str> {
    sections.iter().map(|section| section.key.as_str()).collect()
}

fn fixed(key: &str, text: &'static str) -> SectionSpec {
    SectionSpec::session(key, key, move |_| text.to_owned())
}

#[test]
fn standard_has_fourteen_sections_with_global_ones_first_and_volatile_ones_last() {
    assert_eq!(SectionRegistry::standard().keys().count(), 14);
    assert_eq!(
        keys(&SectionRegistry::standard().sections(&facts())),
        [
            "identity",
            "system_rules",
            "doing_tasks",
            "actions",
            "using_tools",
            "tone_and_style",
            "output_efficiency",
            "session_guidance",
            "memory",
            "environment",
            "language",
            "scratchpad",
            "token_budget",
            "mcp_instructions",
        ]
    );
}

#[test]
fn all_texts_together_stay_under_2500_tokens() {
    let sections = SectionRegistry::standard().sections(&facts());
    let tokens: u64 = sections.iter().map(|section| estimate_tokens(&section.text)).sum();
    assert!((1_000..2_500).contains(&tokens), "{tokens}");
}

#[test]
fn global_part_is_the_same_for_every_user_machine_and_directory() {
    let registry = SectionRegistry::standard();
    let here = registry.sections(&facts());
    let there = registry.sections(
        &PromptFacts::default().model("model-2").cwd("C:\\Users\\bob").platform("windows").is_git(false),
    );
    assert_eq!(global(&here), global(&there));
    assert_eq!(global(&here).len(), 7);
}

#[test]
fn names_of_tools_are_the_embedders() {
    let mut names = ToolNames::default();
    names.read = "open_file".to_owned();
    names.shell = "run".to_owned();
    let sections = SectionRegistry::standard().sections(&PromptFacts::default().tool_names(names));
    let text = &sections.iter().find(|section| section.key == "using_tools").unwrap().text;
    assert!(text.contains("open_file to read") && text.contains("Keep run"), "{text}");
}

#[test]
fn session_sections_say_every_fact_that_they_are_given() {
    let sections = SectionRegistry::standard().sections(&facts());
    let text: String = sections.iter().map(|section| section.text.as_str()).collect();
    for fact in [
        "/home/ann/proj",
        "/srv/shared",
        "Git repository: yes",
        "linux",
        "/bin/bash",
        "Linux 6.1",
        "model-1",
        "January 2026",
        "French",
        "/tmp/scratch-7",
        "/home/ann/.claude/memory",
        "500000",
        "explorer",
        "## tracker\nSearch before you open.",
        "Skill",
    ] {
        assert!(text.contains(fact), "{fact} is missing");
    }
}

#[test]
fn facts_that_are_not_there_leave_their_sections_out() {
    let sections = SectionRegistry::standard().sections(&PromptFacts::default());
    assert_eq!(sections.len(), 7, "{:?}", keys(&sections));
    let unknown = SectionRegistry::standard().sections(&PromptFacts::default().cwd("/p"));
    assert!(!unknown.last().unwrap().text.contains("Git"), "nobody looked, so nobody says no");
}

#[test]
fn sections_are_replaced_removed_and_inserted_by_key() {
    let mut registry = SectionRegistry::empty();
    registry.push(fixed("a", "A"));
    registry.push(fixed("c", "C"));
    registry.insert_before("c", fixed("b", "B")).unwrap();
    registry.insert_after("c", fixed("d", "D")).unwrap();
    let old = registry.replace(fixed("a", "A2")).unwrap();
    assert_eq!((old.key(), old.compute(&facts()).text.as_str()), ("a", "A"));
    assert_eq!(registry.remove("c").unwrap().key(), "c");
    assert!(registry.remove("c").is_none());
    registry.insert_after("d", fixed("a", "A3")).unwrap();
    let sections = registry.sections(&facts());
    let texts: Vec<_> = sections.iter().map(|section| section.text.as_str()).collect();
    assert_eq!(texts, ["B", "D", "A3"], "a key stands once");
    assert_eq!(registry.insert_before("x", fixed("y", "Y")), Err(UnknownSection("x".into())));
    assert_eq!(registry.replace(fixed("x", "X")).unwrap_err(), UnknownSection("x".into()));
    assert_eq!(registry.get("b").unwrap().label(), "b");
}

#[test]
fn own_prompt_works_through_the_trait() {
    struct Two;
    impl SystemPrompt for Two {
        fn sections(&self, _: &PromptFacts) -> Vec<Section> {
            vec![Section::default().key("one").text("1"), Section::default().key("two").text("2")]
        }
    }
    let prompts: [Box<dyn SystemPrompt>; 2] = [Box::new(Two), Box::new(SectionRegistry::standard())];
    assert_eq!(prompts.map(|prompt| prompt.sections(&facts()).len()), [2, 14]);
}
