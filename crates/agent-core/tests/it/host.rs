//! A host that keeps what it handed in until it is told that it was delivered.

use std::collections::BTreeMap;

use agent_core::context_api::{
    AgentSpec, BackgroundTask, CustomAttachment, Destination, Destinations, HandIn, HookAnswer, HostEvent,
    HostSignal, HostSnapshot, MailMessage, McpServer, OutputStyleSpec, QueuedInput, SkillSpec, Source,
    TaskChange, ToolSpec,
};
use agent_core::{PreparedTurn, Session};

/// Kinds of events.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Queued,
    Notice,
    Mail,
    Task,
    Hook,
    AsyncHook,
    SilentHook,
    HandIn,
}

impl Kind {
    pub(crate) const ALL: [Self; 8] = [
        Self::Queued,
        Self::Notice,
        Self::Mail,
        Self::Task,
        Self::Hook,
        Self::AsyncHook,
        Self::SilentHook,
        Self::HandIn,
    ];

    fn event(self, id: &str, mark: &str) -> HostEvent {
        let queued = |mode: &str| HostEvent::Queued(QueuedInput::default().id(id).mode(mode).text(mark));
        let hook = |event: &str, output: &str| {
            HookAnswer::default().id(id).event(event).name("h").exit_code(Some(0)).output(output)
        };
        match self {
            Self::Queued => queued("prompt"),
            Self::Notice => queued("task-notification"),
            Self::Mail => HostEvent::Mail(MailMessage::default().id(id).from("ann").content(mark)),
            Self::Task => {
                let task = BackgroundTask::default().id("t").status("failed").summary(mark);
                HostEvent::Task(TaskChange::default().id(id).task(task))
            }
            Self::Hook => HostEvent::Hook(hook("SessionStart", mark)),
            Self::AsyncHook => {
                let output = format!(r#"{{"hookSpecificOutput":{{"additionalContext":"{mark}"}}}}"#);
                HostEvent::Hook(hook("PostToolUse", &output).is_async(true))
            }
            Self::SilentHook => HostEvent::Hook(hook("SessionStart", "{}")),
            Self::HandIn => {
                let seen = Destinations::of(&[Destination::Model, Destination::Transcript]);
                let attachment = CustomAttachment::default().kind("own").text(mark).destinations(seen);
                HostEvent::HandIn(HandIn::default().id(id).attachment(attachment))
            }
        }
    }
}

/// The host: what it knows, what it handed in, and what it has not been told of yet.
#[derive(Default)]
pub(crate) struct Host {
    pub(crate) snapshot: HostSnapshot,
    /// By id.
    pub(crate) pending: BTreeMap<String, HostEvent>,
    /// Texts that the model is to see exactly once.
    pub(crate) marks: Vec<String>,
    /// What it was told of by requests whose entries the store has not taken: a process that is killed loses those.
    unwritten: BTreeMap<String, HostEvent>,
    told: usize,
}

impl Host {
    pub(crate) fn hand_in(&mut self, session: &Session, kind: Kind) {
        let number = self.marks.len() + self.told + self.pending.len();
        let (id, mark) = (format!("id-{number}"), format!("MARK-{number}-END"));
        let event = kind.event(&id, &mark);
        if !matches!(kind, Kind::SilentHook) {
            self.marks.push(mark);
        }
        self.pending.insert(id, event.clone());
        session.handle().event(event);
    }

    /// Hands in again what it has not been told of.
    pub(crate) fn hand_in_again(&self, session: &Session) {
        self.pending.values().for_each(|event| drop(session.handle().event(event.clone())));
    }

    /// Takes in what a request says of events that were handed in.
    pub(crate) fn hear(&mut self, prepared: &PreparedTurn) {
        for signal in &prepared.signals {
            let HostSignal::Delivered { ids } = signal else { continue };
            for id in ids {
                self.told += 1;
                self.unwritten.extend(self.pending.remove_entry(id));
            }
        }
        if !prepared.decisions.iter().any(|decision| decision.subject == "transcript") {
            self.unwritten.clear();
        }
    }

    /// Everything that was told is in the store.
    pub(crate) fn all_is_written(&mut self) {
        self.unwritten.clear();
    }

    /// What was told and not written is to be handed in again.
    pub(crate) fn loses_what_is_not_written(&mut self) {
        self.pending.append(&mut self.unwritten);
    }

    /// A catalog of `size` things of each kind, told apart by `text`; `None`: it can not be looked at.
    pub(crate) fn catalog(&mut self, size: Option<u8>, text: &str) {
        fn all<T>(size: Option<u8>, make: impl Fn(String) -> T) -> Source<T> {
            match size {
                Some(size) => Source::ready((0..size).map(|number| make(format!("n{number}")))),
                None => Source::Unavailable("down".into()),
            }
        }
        let catalog = &mut self.snapshot.catalog;
        catalog.tools = all(size, |name| ToolSpec::default().name(name).description(text).deferred(true));
        catalog.agents = all(size, |name| AgentSpec::default().name(name).description(text));
        catalog.mcp = all(size, |name| McpServer::default().name(name).instructions(Some(text.to_owned())));
        catalog.skills = all(size, |name| SkillSpec::default().name(name).description(text));
        let style = OutputStyleSpec::default().name("terse").text(text);
        self.snapshot.modes.output_style = size.filter(|size| *size > 0).map(|_| style);
    }
}
