//! Which base prompt holds.

use context_api::{Section, SystemPrompt};
use prompt_assembly::{BasePrompt, SectionRegistry};

use crate::support::facts;

fn all() -> BasePrompt {
    BasePrompt::default()
        .replace("OVERRIDE".to_owned())
        .coordinator("COORDINATOR".to_owned())
        .agent("AGENT".to_owned())
        .custom("CUSTOM".to_owned())
        .append("APPEND".to_owned())
}

fn keys(base: &BasePrompt) -> Vec<String> {
    let sections = base.choose(|| SectionRegistry::standard().sections(&facts()));
    sections.into_iter().map(|section| section.key).collect()
}

fn unused() -> Vec<Section> {
    panic!("default sections are not wanted here")
}

#[test]
fn one_wins_in_order_and_they_do_not_merge() {
    let mut base = all();
    assert_eq!(keys(&base), ["override"], "alone, nothing appended");
    base.replace = None;
    assert_eq!(keys(&base), ["coordinator", "append"]);
    base.coordinator = None;
    assert_eq!(keys(&base), ["agent", "session_guidance", "environment", "append"]);
    base.agent = None;
    assert_eq!(keys(&base), ["custom", "append"]);
    base.custom = None;
    let default = keys(&base);
    assert_eq!((default.len(), default.last().unwrap().as_str()), (15, "append"));
}

#[test]
fn default_sections_are_not_computed_where_none_of_them_stands() {
    for base in [
        all(),
        BasePrompt::default().coordinator("C".to_owned()),
        BasePrompt::default().custom("C".to_owned()),
    ] {
        base.choose(unused);
        assert!(!base.uses_default_sections());
    }
    assert!(BasePrompt::default().uses_default_sections());
}

#[test]
fn memory_section_may_stay_beside_a_custom_prompt() {
    let base = BasePrompt::default().custom("C".to_owned()).append("A".to_owned()).keep_memory_section(true);
    assert_eq!(keys(&base), ["custom", "memory", "append"]);
}

#[test]
fn system_context_is_wanted_unless_a_host_brings_the_whole_prompt() {
    assert!(BasePrompt::default().wants_system_context());
    assert!(BasePrompt::default().agent("A".to_owned()).wants_system_context());
    assert!(!BasePrompt::default().custom("C".to_owned()).wants_system_context());
    assert!(!all().wants_system_context());
}

#[test]
fn a_text_of_white_space_does_not_win() {
    let base = BasePrompt::default().replace(" \n".to_owned()).append(String::new());
    assert!(base.uses_default_sections());
    assert!(!keys(&base).contains(&"append".to_owned()));
}
