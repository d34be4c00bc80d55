//! Resources of servers that answer well, badly or never.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use attachments::{
    Bus, BusLimits, Collection, MentionLimits, MentionSources, Mentions, Resource, ResourceError,
    ResourceReader, ResourceRequest, Runs,
};
use context_api::{Attachment, HostSnapshot, McpServer, Source, TurnParts, Verdict};
use context_testkit::{FaultyFs, Place};

use crate::support::*;

/// A server whose resources misbehave as their names say.
#[derive(Default)]
struct Server {
    asked: AtomicUsize,
    gate: Gate,
}

#[async_trait]
impl ResourceReader for Server {
    async fn read(&self, request: &ResourceRequest) -> Result<Resource, ResourceError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        match request.uri.as_str() {
            "hangs" => std::future::pending().await,
            "blocks" => {
                self.gate.wait();
                Ok(Resource::text("late"))
            }
            "panics" => panic!("on purpose"),
            "sleeps" => {
                tokio::time::sleep(Duration::from_millis(5)).await;
                Ok(Resource::text("slept"))
            }
            "well" => Ok(Resource::text("well")),
            _ => Err(ResourceError::NotFound),
        }
    }
}

fn bus(server: &Arc<Server>, place: &Place, deadline: Duration) -> Bus {
    let threads = Arc::new(Spawner::default());
    let mut limits = BusLimits::default();
    limits.deadline = deadline;
    let mut bus = Bus::new(threads.clone(), limits);
    let sources = MentionSources::new(FaultyFs::new(), Arc::new(PlainReader), Some(place.home()))
        .resources(Some(Arc::new(Arc::clone(server))));
    bus.register(Arc::new(Mentions::new(sources, threads, MentionLimits::default())));
    bus
}

fn asking(place: &Place, input: &str) -> TurnParts {
    let mut parts = parts_in(&place.proj(), input);
    let mut host = HostSnapshot::default();
    host.catalog.mcp = Source::ready([McpServer::default().name("s")]);
    parts.host = Arc::new(host);
    parts
}

fn run(bus: &Bus, parts: TurnParts) -> Collection {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(bus.collect(parts, &Runs::new()))
}

fn texts(collection: &Collection) -> Vec<String> {
    let text = |draft: &context_api::Draft| match &draft.attachment {
        Attachment::McpResource(it) => it.texts.iter().map(|text| text.to_string()).collect(),
        other => other.type_name().to_owned(),
    };
    collection.drafts.iter().map(text).collect()
}

#[test]
fn one_that_hangs_blocks_or_panics_costs_no_other() {
    within_seconds(|| {
        let (server, place) = (Arc::new(Server::default()), Place::new());
        let bus = bus(&server, &place, Duration::from_millis(400));
        let collection = run(&bus, asking(&place, "@s:hangs @s:blocks @s:panics @s:well @s:ghost"));
        assert_eq!(texts(&collection), ["well"]);
        let said: Vec<_> =
            collection.decisions.iter().map(|one| (&*one.subject, one.verdict, &*one.reason)).collect();
        assert_eq!(
            said,
            [
                ("s:hangs", Verdict::TimedOut, "deadline"),
                ("s:blocks", Verdict::TimedOut, "deadline"),
                ("s:panics", Verdict::Failed, "reader_panicked"),
                ("s:ghost", Verdict::LeftOut, "resource_not_found"),
            ]
        );
        // What waits was dropped and is asked again; what blocks still does, and is not.
        assert_eq!(reason_again(&bus, &place, "@s:hangs"), "deadline");
        let asked = server.asked.load(Ordering::SeqCst);
        let again = run(&bus, asking(&place, "@s:blocks"));
        assert_eq!(again.decisions[0].reason, "still_running");
        assert_eq!(server.asked.load(Ordering::SeqCst), asked);
        server.gate.open();
    });
}

#[test]
fn a_reader_may_wait_on_the_hosts_runtime() {
    within_seconds(|| {
        let (server, place) = (Arc::new(Server::default()), Place::new());
        let bus = bus(&server, &place, Duration::from_secs(15));
        assert_eq!(texts(&run(&bus, asking(&place, "@s:sleeps"))), ["slept"]);
    });
}

#[test]
fn a_turn_that_is_given_up_drops_what_waits() {
    within_seconds(|| {
        let (server, place) = (Arc::new(Server::default()), Place::new());
        let bus = bus(&server, &place, Duration::from_secs(600));
        let parts = asking(&place, "@s:hangs");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let short = Duration::from_millis(50);
            let gone = tokio::time::timeout(short, bus.collect(parts, &Runs::new())).await;
            assert!(gone.is_err());
        });
        // The same name can be asked again: nothing of the first look is left.
        assert_eq!(reason_again(&bus, &place, "@s:hangs"), "deadline");
    });
}

/// Why a name is not attached once its earlier look has come to its end.
fn reason_again(bus: &Bus, place: &Place, input: &str) -> String {
    loop {
        let mut parts = asking(place, input);
        parts.deadline = Some(std::time::Instant::now() + Duration::from_millis(100));
        let again = run(bus, parts);
        if again.decisions[0].reason != "still_running" {
            return again.decisions[0].reason.clone();
        }
    }
}
