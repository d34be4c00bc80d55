//! Skills: from the disk, within their room, and again behind a compaction.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attachments::{
    FsSkillSource, InvokedSkillsCollector, SkillLimits, SkillListingCollector, SkillOptions, SkillPlaces,
    SkillPlugin, SkillSource, invoked_skill,
};
use context_api::{
    AllowAll, Attachment, CatalogState, EntryKind, HostSnapshot, ReadErrorKind, SkillSpec, Source,
    StatesNote, Thread, Trigger,
};
use context_testkit::Place;
use local_fs::LocalFs;

use crate::life::{Life, types};
use crate::support::Spawner;

fn source(place: &Place, change: impl FnOnce(&mut SkillOptions)) -> FsSkillSource {
    let mut options = SkillOptions::default();
    options.home = Some(place.home());
    change(&mut options);
    FsSkillSource::new(Arc::new(LocalFs::new()), Arc::new(AllowAll), options)
}

fn names(source: &FsSkillSource, cwd: &Path) -> Vec<String> {
    source.find(&SkillPlaces::new(cwd)).skills.into_iter().map(|skill| skill.spec.name).collect()
}

#[test]
fn skills_of_a_plugin_carry_its_name() {
    let place = Place::new();
    place.write("plugin/skills/release/SKILL.md", "Tags a version\n");
    place.write(".claude/skills/release/SKILL.md", "Tags another\n");
    let directory = place.proj().join("plugin");
    let source = source(&place, |options| {
        options.plugins = vec![SkillPlugin { name: "tools".to_owned(), directory }];
    });
    assert_eq!(names(&source, &place.proj()), ["release", "tools:release"]);
}

#[test]
fn a_name_that_is_none_gives_way_to_the_folders() {
    let place = Place::new();
    place.write(".claude/skills/good/SKILL.md", "---\nname: other-name\n---\nx\n");
    place.write(".claude/skills/two words/SKILL.md", "---\nname: \"a b\"\n---\nx\n");
    let source = source(&place, |_| {});
    let load = source.find(&SkillPlaces::new(place.proj()));
    let names: Vec<_> = load.skills.iter().map(|skill| skill.spec.name.as_str()).collect();
    assert_eq!(names, ["other-name", "two words"]);
    assert_eq!(load.decisions.iter().map(|one| one.reason.as_str()).collect::<Vec<_>>(), ["name_not_usable"]);
}

#[test]
fn what_was_read_is_read_again_once_the_file_changes() {
    let place = Place::new();
    let source = source(&place, |_| {});
    let text = |source: &FsSkillSource| {
        let load = source.find(&SkillPlaces::new(place.proj()));
        load.skills.first().map(|skill| skill.spec.description.clone())
    };
    place.write(".claude/skills/s/SKILL.md", "first\n");
    assert_eq!(text(&source).as_deref(), Some("first"));
    assert_eq!(text(&source).as_deref(), Some("first"));
    place.write(".claude/skills/s/SKILL.md", "another\n");
    assert_eq!(text(&source).as_deref(), Some("another"));
}

#[cfg(unix)]
#[test]
fn a_text_is_not_read_through_a_link_that_came_later() {
    let place = Place::new();
    place.write(".claude/skills/s/SKILL.md", "---\ndescription: d\n---\nBODY\n");
    let source = source(&place, |_| {});
    let load = source.find(&SkillPlaces::new(place.proj()));
    let path: PathBuf = load.skills[0].spec.path.clone().unwrap();
    assert_eq!(source.text(&path).as_deref(), Ok("BODY"));
    let secret = place.proj().join("secret");
    std::fs::write(&secret, "SECRET").unwrap();
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&secret, &path).unwrap();
    assert_eq!(source.text(&path), Err(ReadErrorKind::Special));
}

#[test]
fn too_many_skills_in_a_folder_are_told() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.write(&format!(".claude/skills/{name}/SKILL.md"), "text\n");
    }
    let source = source(&place, |options| options.limits.folder_skills = 2);
    let load = source.find(&SkillPlaces::new(place.proj()));
    assert_eq!(load.skills.len(), 2);
    assert_eq!(load.decisions[0].reason, "too_many_skills");
}

#[test]
fn a_filtered_listing_holds_what_fits_the_input_and_no_more_than_thirty() {
    let skills = (0..100).map(|number| {
        let text = if number < 60 { "Writes the changelog" } else { "Does something else" };
        SkillSpec::default().name(format!("s{number:02}")).description(text)
    });
    let host = HostSnapshot::default().catalog(CatalogState::default().skills(Source::ready(skills)));
    let listing = SkillListingCollector::new(None, Arc::new(Spawner::default()), SkillLimits::default());
    let mut life = Life::with(listing.filtered(true));
    let told = life.turn(&host, "write the changelog");
    let [Attachment::SkillListing(listing)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(listing.skills.len(), 30);
    assert!(listing.skills.iter().all(|skill| skill.description.contains("changelog")));
    assert!(life.decisions.iter().any(|decision| decision.reason == "not_fitting"));
    let later = life.turn(&host, "nothing of that kind");
    assert!(later.is_empty(), "what does not fit any more is not gone: {later:?}");
}

#[test]
fn skills_that_were_used_are_told_again_behind_a_compaction_once() {
    let place = Place::new();
    place.write(".claude/skills/long/SKILL.md", "one line of words\n".repeat(3_000));
    place.write(".claude/skills/short/SKILL.md", "SHORT\n");
    place.write(".claude/skills/gone/SKILL.md", "GONE\n");
    let source = source(&place, |_| {});
    let load = source.find(&SkillPlaces::new(place.proj()));
    let path = |name: &str| {
        let skill = load.skills.iter().find(|skill| skill.spec.name == name);
        skill.and_then(|skill| skill.spec.path.clone()).unwrap()
    };
    let collector =
        InvokedSkillsCollector::new(Arc::new(source), Arc::new(Spawner::default()), SkillLimits::default());
    let mut life = Life::with(collector);
    let host = HostSnapshot::default();
    for name in ["gone", "long", "short"] {
        assert!(life.turn(&host, "go on").is_empty(), "its text is in view");
        let key = invoked_skill(&Thread::Main, name, &path(name));
        life.push(EntryKind::States(StatesNote::default().keys(vec![key])));
        life.answer();
    }
    std::fs::remove_file(path("gone")).unwrap();
    life.boundary(Trigger::Auto);
    life.resumed();
    let told = life.turn(&host, "go on");
    let [Attachment::InvokedSkills(skills)] = &told[..] else { panic!("{told:?}") };
    let keys: Vec<_> = skills.skills.iter().map(|skill| skill.key.as_str()).collect();
    assert_eq!(keys, ["main:short", "main:long"], "the newest first");
    assert!(context_text::estimate_tokens(&skills.skills[1].text) <= 5_000);
    let reasons: Vec<_> =
        life.decisions.iter().map(|one| (one.subject.as_str(), one.reason.as_str())).collect();
    assert_eq!(reasons, [("main:long", "skill_too_long"), ("main:gone", "not_found")]);
    assert!(life.turn(&host, "go on").is_empty());
    assert!(life.decisions.is_empty(), "{:?}", life.decisions);
    life.boundary(Trigger::Manual);
    assert_eq!(types(&life.turn(&host, "go on")), ["invoked_skills"]);
    life.boundary(Trigger::Clear);
    assert!(life.turn(&host, "go on").is_empty(), "a cleared conversation has used none");
}
