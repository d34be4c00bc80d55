//! What is announced, updated, taken back, and announced again.

use std::collections::BTreeMap;

use attachments::{
    AgentListing, DeferredTools, DeltaCollector, DeltaLimits, McpInstructions, OutputStyleSource,
};
use context_api::{
    AgentSpec, Attachment, CatalogState, HostSnapshot, McpServer, ModeState, OutputStyleSpec, Source,
    ToolSpec, Trigger, Verdict,
};
use proptest::prelude::*;

use crate::life::{Life, types};

fn catalog(catalog: CatalogState) -> HostSnapshot {
    HostSnapshot::default().catalog(catalog)
}

fn agents(agents: &[(&str, &str)]) -> HostSnapshot {
    let agent = |(name, text): &(&str, &str)| AgentSpec::default().name(*name).description(*text);
    catalog(CatalogState::default().agents(Source::ready(agents.iter().map(agent))))
}

#[test]
fn the_order_of_the_host_is_not_that_of_the_announcement() {
    let told = |host| Life::with(DeltaCollector(AgentListing::default())).turn(&host, "hello");
    let one = told(agents(&[("b", "2"), ("a", "1"), ("c", "3")]));
    assert_eq!(one, told(agents(&[("c", "3"), ("b", "2"), ("a", "1")])));
    let Some(Attachment::AgentListingDelta(delta)) = one.first() else { panic!("nothing was told") };
    assert!(delta.is_initial);
    assert_eq!(delta.added.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn of_two_things_with_one_name_the_first_is_announced_and_the_other_is_a_decision() {
    let mut life = Life::with(DeltaCollector(AgentListing::default()));
    let told = life.turn(&agents(&[("a", "first"), ("a", "second")]), "hello");
    let [Attachment::AgentListingDelta(delta)] = &told[..] else { panic!("{told:?}") };
    assert_eq!((delta.added.len(), &*delta.added[0].text), (1, "first"));
    let [decision] = &life.decisions[..] else { panic!("{:?}", life.decisions) };
    assert_eq!((decision.subject.as_str(), decision.reason.as_str()), ("a", "name_taken"));
}

#[test]
fn a_long_text_is_cut_between_characters_and_told() {
    let mut limits = DeltaLimits::default();
    limits.agent_chars = 3;
    let mut life = Life::with(DeltaCollector(AgentListing(limits)));
    let told = life.turn(&agents(&[("a", "ééééé")]), "hello");
    let [Attachment::AgentListingDelta(delta)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(&*delta.added[0].text, "ééé…");
    let [decision] = &life.decisions[..] else { panic!("{:?}", life.decisions) };
    assert_eq!((decision.verdict, decision.bytes), (Verdict::Cut, Some(4)));
    assert!(life.turn(&agents(&[("a", "ééééé")]), "again").is_empty(), "the whole text is what is compared");
    assert_eq!(life.turn(&agents(&[("a", "ééééè")]), "again").len(), 1);
}

#[test]
fn a_request_that_is_given_up_announces_nothing() {
    let mut life = Life::with(DeltaCollector(AgentListing::default()));
    let host = agents(&[("a", "1")]);
    assert_eq!(life.look(&host, "hello").drafts.len(), 1);
    assert_eq!(life.turn(&host, "hello").len(), 1, "nothing was marked as told");
    life.resumed();
    assert!(life.turn(&host, "hello").is_empty());
}

#[test]
fn a_server_that_is_down_keeps_its_tools_and_instructions() {
    let tool = || ToolSpec::default().name("find").deferred(true).server(Some("docs".into()));
    let server = |unavailable: Option<&str>, text: Option<&str>| {
        let server = McpServer::default().name("docs");
        server.instructions(text.map(str::to_owned)).unavailable(unavailable.map(str::to_owned))
    };
    let host = |tools: Vec<ToolSpec>, server| {
        catalog(CatalogState::default().tools(Source::ready(tools)).mcp(Source::ready([server])))
    };
    for down in [false, true] {
        let why = down.then_some("restarting");
        let mut tools = Life::with(DeltaCollector(DeferredTools::default()));
        let mut texts = Life::with(DeltaCollector(McpInstructions::default()));
        assert_eq!(tools.turn(&host(vec![tool()], server(None, Some("use it"))), "hello").len(), 1);
        assert_eq!(texts.turn(&host(vec![tool()], server(None, Some("use it"))), "hello").len(), 1);
        let later = host(Vec::new(), server(why, None));
        for life in [&mut tools, &mut texts] {
            assert_eq!(life.turn(&later, "later").is_empty(), down);
            let said = life.decisions.iter().any(|decision| decision.reason == "source_unavailable");
            assert_eq!(said, down, "{:?}", life.decisions);
        }
    }
}

#[test]
fn a_style_is_told_at_entry_on_a_change_and_when_it_holds_no_more() {
    let style = |name: &str, text: &str| {
        let style = OutputStyleSpec::default().name(name).text(text);
        HostSnapshot::default().modes(ModeState::default().output_style(Some(style)))
    };
    let mut life = Life::with(DeltaCollector(OutputStyleSource::default()));
    let mut told = Vec::new();
    for host in
        [HostSnapshot::default(), style("a", "1"), style("a", "1"), style("b", "1"), HostSnapshot::default()]
    {
        let names = life.turn(&host, "hello").into_iter().map(|one| match one {
            Attachment::OutputStyle(style) => style.name,
            other => panic!("{other:?}"),
        });
        told.push(names.collect::<Vec<_>>().join(","));
    }
    assert_eq!(told, ["", "a", "", "b", ""]);
    assert_eq!(types(&life.turn(&style("b", "1"), "again")), ["output_style"], "it was taken back");
}

/// One step of a life.
#[derive(Debug, Clone)]
enum Step {
    Ready(BTreeMap<u8, u8>),
    Unavailable,
    NotReported,
    Boundary,
    Resume,
    GivenUp(BTreeMap<u8, u8>),
}

fn step() -> impl Strategy<Value = Step> {
    let set = || proptest::collection::btree_map(0u8..6, 0u8..3, 0..6);
    prop_oneof![
        6 => set().prop_map(Step::Ready),
        1 => Just(Step::Unavailable),
        1 => Just(Step::NotReported),
        1 => Just(Step::Boundary),
        1 => Just(Step::Resume),
        1 => set().prop_map(Step::GivenUp),
    ]
}

fn source(set: &BTreeMap<u8, u8>) -> HostSnapshot {
    let agent = |(name, text): (&u8, &u8)| {
        AgentSpec::default().name(name.to_string()).description(format!("t{text}"))
    };
    catalog(CatalogState::default().agents(Source::ready(set.iter().map(agent))))
}

/// What a model that believes what it reads has.
fn believe(model: &mut BTreeMap<String, String>, told: &[Attachment]) -> usize {
    let mut said = 0;
    for one in told {
        let Attachment::AgentListingDelta(delta) = one else { panic!("{one:?}") };
        said += delta.added.len() + delta.removed.len();
        assert!(said > 0, "an empty announcement");
        for item in &delta.added {
            model.insert(item.name.clone(), item.text.to_string());
        }
        for name in &delta.removed {
            assert!(model.remove(name).is_some(), "{name} was never announced");
        }
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_model_always_has_what_is_there_and_is_told_nothing_twice(steps in proptest::collection::vec(step(), 1..24)) {
        let mut life = Life::with(DeltaCollector(AgentListing::default()));
        let mut model: BTreeMap<String, String> = BTreeMap::new();
        for step in steps {
            let before = model.clone();
            match step {
                Step::Ready(set) => {
                    let said = believe(&mut model, &life.turn(&source(&set), "go on"));
                    let there: BTreeMap<String, String> =
                        set.iter().map(|(name, text)| (name.to_string(), format!("t{text}"))).collect();
                    prop_assert_eq!(&model, &there);
                    let news = there.iter().filter(|(name, text)| before.get(*name) != Some(*text)).count();
                    let gone = before.keys().filter(|name| !there.contains_key(*name)).count();
                    prop_assert_eq!(said, news + gone);
                }
                Step::Unavailable => {
                    let down = CatalogState::default().agents(Source::Unavailable("down".into()));
                    prop_assert!(life.turn(&catalog(down), "go on").is_empty());
                    prop_assert_eq!(life.decisions.len(), 1);
                }
                Step::NotReported => prop_assert!(life.turn(&HostSnapshot::default(), "go on").is_empty()),
                Step::Boundary => {
                    life.boundary(Trigger::Auto);
                    model.clear();
                }
                Step::Resume => life.resumed(),
                Step::GivenUp(set) => drop(life.look(&source(&set), "go on")),
            }
        }
    }
}
