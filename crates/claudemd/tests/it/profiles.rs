//! Which names count.

use claudemd::Profile;
use context_api::MemoryLoader;
use context_testkit::Place;

use crate::support::*;

fn marks_of(place: &Place, profile: Profile) -> Vec<String> {
    marks(&load(place, "", options(place).profile(profile)))
}

#[test]
fn agents_md_counts_where_the_walk_finds_nothing_else() {
    let place = Place::new();
    place.write("{home}/.claude/CLAUDE.md", "MARK_USER\n");
    place.write(".claude/rules/r.md", "MARK_RULE\n");
    place.write("AGENTS.md", "MARK_AGENTS\n");
    place.write("pkg/AGENTS.md", "MARK_PKG\n");
    let load = load(&place, "pkg", options(&place));
    assert_eq!(marks(&load), ["MARK_USER", "MARK_AGENTS", "MARK_RULE", "MARK_PKG"]);
    place.write("CLAUDE.local.md", "MARK_LOCAL\n");
    let load = crate::support::load(&place, "pkg", options(&place).survey(true));
    assert_eq!(marks(&load), ["MARK_USER", "MARK_RULE", "MARK_LOCAL"]);
    assert_eq!(decision(&load, "pkg/AGENTS.md").reason, "not_in_profile");
    assert_eq!(decision(&load, "proj/AGENTS.md").reason, "not_in_profile");
}

#[test]
fn the_home_directory_s_own_file_does_not_keep_the_fallback_off() {
    let place = Place::new();
    place.write("{home}/.claude/CLAUDE.md", "MARK_USER\n");
    place.write("{home}/app/AGENTS.md", "MARK_AGENTS\n");
    let load = load(&place, "{home}/app", options(&place));
    assert_eq!(marks(&load), ["MARK_USER", "MARK_AGENTS"]);
}

#[test]
fn an_agents_file_that_is_included_counts_and_others_do_not() {
    let place = Place::new();
    place.write("AGENTS.md", "MARK_AG_ROOT\n");
    place.write("CLAUDE.md", "@AGENTS.md\nMARK_C\n");
    place.write("lib/AGENTS.md", "MARK_AG_LIB\n");
    place.write("lib/x.go", "x\n");
    let load = load_proj(&place);
    assert_eq!(marks(&load), ["MARK_C", "MARK_AG_ROOT"]);
    assert_eq!(load.decisions, [], "what is included is not said to be left out");
    assert_eq!(marks(&touch(&place, "lib/x.go")), [""; 0]);
}

#[test]
fn a_subdirectory_has_the_fallback_where_the_walk_had_it() {
    let place = Place::new();
    place.write("AGENTS.md", "MARK_ROOT\n");
    place.write("lib/AGENTS.md", "MARK_LIB\n");
    place.write("own/AGENTS.md", "MARK_NOT\n");
    place.write("own/CLAUDE.md", "MARK_OWN\n");
    assert_eq!(marks(&load_proj(&place)), ["MARK_ROOT"]);
    assert_eq!(marks(&touch(&place, "lib/x.go")), ["MARK_LIB"]);
    assert_eq!(marks(&touch(&place, "own/x.go")), ["MARK_OWN"]);
}

#[test]
fn other_profiles_read_their_own_names() {
    let place = Place::new();
    place.write("CLAUDE.md", "MARK_CLAUDE\n");
    place.write("AGENTS.md", "MARK_AGENTS\n");
    place.write("AGENTS.local.md", "MARK_AGENTS_LOCAL\n");
    place.write("GEMINI.md", "MARK_GEMINI\n");
    place.write(".cursorrules", "MARK_CURSOR\n");
    place.write(".cursor/rules/always.mdc", "---\nalwaysApply: true\nglobs: \"*.x\"\n---\nMARK_ALWAYS\n");
    place.write(".cursor/rules/plain.mdc", "MARK_PLAIN\n");
    place.write(".cursor/rules/ask.mdc", "---\ndescription: x\nalwaysApply: false\n---\nMARK_ASK\n");
    place.write(".cursor/rules/ts.mdc", "---\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\nMARK_TS\n");
    place.write(".github/copilot-instructions.md", "MARK_COPILOT\n");
    place.write(".github/instructions/a.instructions.md", "---\napplyTo: \"**/*.py\"\n---\nMARK_PY\n");
    place.write(".github/instructions/readme.md", "MARK_NO\n");
    place.write("{home}/.gemini/GEMINI.md", "MARK_GEMINI_USER\n");
    assert_eq!(marks_of(&place, Profile::claude()), ["MARK_CLAUDE"]);
    assert_eq!(marks_of(&place, Profile::agents_md()), ["MARK_AGENTS", "MARK_AGENTS_LOCAL"]);
    assert_eq!(marks_of(&place, Profile::gemini()), ["MARK_GEMINI_USER", "MARK_GEMINI"]);
    assert_eq!(marks_of(&place, Profile::cursor_rules()), ["MARK_CURSOR", "MARK_ALWAYS", "MARK_PLAIN"]);
    assert_eq!(marks_of(&place, Profile::copilot()), ["MARK_COPILOT"]);
    let both = Profile::claude().combine(Profile::agents_md());
    assert_eq!(marks_of(&place, both), ["MARK_CLAUDE", "MARK_AGENTS", "MARK_AGENTS_LOCAL"]);
    place.write("AGENTS.override.md", "MARK_OVERRIDE\n");
    assert_eq!(marks_of(&place, Profile::agents_md()), ["MARK_OVERRIDE", "MARK_AGENTS_LOCAL"]);

    let cursor = load(&place, "", options(&place).profile(Profile::cursor_rules()));
    assert_eq!(decision(&cursor, "ask.mdc").reason, "waits_to_be_named");
    assert_eq!(decision(&cursor, "ts.mdc").reason, "waits_for_path");
    for (profile, path, expected) in
        [(Profile::cursor_rules(), "src/a.tsx", "MARK_TS"), (Profile::copilot(), "b/c.py", "MARK_PY")]
    {
        let loader = loader(options(&place).profile(profile));
        let nested = loader.load_for_path(&scope(place.proj()), &place.path(path)).unwrap();
        assert_eq!(marks(&nested), [expected]);
    }
}

#[test]
fn a_file_that_two_profiles_name_by_a_link_counts_once() {
    let place = Place::new();
    place.write("AGENTS.md", "MARK_A\n");
    place.link("CLAUDE.md", "AGENTS.md");
    assert_eq!(marks_of(&place, Profile::claude().combine(Profile::agents_md())), ["MARK_A"]);
    assert_eq!(marks_of(&place, Profile::claude()), ["MARK_A"]);
}
