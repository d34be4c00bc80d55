//! The JSON answer of a hook.

use context_text::repair_surrogates;
use serde_json::{Map, Value};

/// What standard output holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Output {
    /// Nothing but white space.
    Nothing,
    /// Text that does not begin like JSON.
    Text,
    /// Text that begins like JSON and is none, and what is wrong with it.
    Broken(String),
    /// A JSON answer.
    Answer(Box<Answer>),
}

/// A JSON answer: its documented fields, and what was passed over.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    /// `continue: false`: the run is to stop.
    pub(crate) stops: bool,
    /// `stopReason`.
    pub(crate) stop_reason: String,
    /// `systemMessage`: for the user.
    pub(crate) system_message: String,
    /// `decision: "block"`, or that of a permission request.
    pub(crate) blocks: bool,
    /// `reason` of the decision.
    pub(crate) reason: String,
    /// `hookSpecificOutput.additionalContext`.
    pub(crate) context: String,
    /// `allow`, `deny` or `ask`, and why.
    pub(crate) permission: Option<(String, String)>,
    /// The event it says it is for.
    pub(crate) event: Option<String>,
    /// Fields that nothing here takes up, in byte order.
    pub(crate) ignored: Vec<String>,
}

/// Reads standard output of a hook that ended well.
pub(crate) fn parse(output: &str) -> Output {
    let text = output.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Output::Nothing;
    }
    if !text.starts_with('{') {
        return Output::Text;
    }
    match serde_json::from_str::<Map<String, Value>>(&repair_surrogates(text)) {
        Ok(fields) => Output::Answer(Box::new(Answer::of(fields))),
        Err(error) => Output::Broken(error.to_string()),
    }
}

impl Answer {
    fn of(fields: Map<String, Value>) -> Self {
        let mut fields = Fields { fields, ignored: Vec::new(), within: "" };
        let mut answer = Self {
            stops: fields.bool("continue") == Some(false),
            stop_reason: fields.text("stopReason").unwrap_or_default(),
            system_message: fields.text("systemMessage").unwrap_or_default(),
            ..Self::default()
        };
        // How the host shows and waits for the hook: nothing for the model.
        fields.bool("suppressOutput");
        fields.bool("async");
        fields.fields.remove("asyncTimeout");
        let reason = fields.text("reason");
        match fields.text("decision").as_deref() {
            Some("block") => answer.blocks = true,
            Some("approve") => {
                answer.permission = Some(("allow".to_owned(), reason.clone().unwrap_or_default()))
            }
            Some(_) => fields.ignored.push("decision".to_owned()),
            None => {}
        }
        answer.reason = reason.unwrap_or_default();
        if let Some(specific) = fields.object("hookSpecificOutput") {
            answer.take_specific(Fields {
                fields: specific,
                ignored: Vec::new(),
                within: "hookSpecificOutput.",
            });
        }
        answer.ignored.extend(fields.rest());
        answer.ignored.sort();
        answer
    }

    fn take_specific(&mut self, mut fields: Fields) {
        self.event = fields.text("hookEventName");
        self.context = fields.text("additionalContext").unwrap_or_default();
        let why = fields.text("permissionDecisionReason").unwrap_or_default();
        match fields.text("permissionDecision") {
            Some(word) if is_permission(&word) => self.permission = Some((word, why)),
            Some(_) => fields.ignored.push("hookSpecificOutput.permissionDecision".to_owned()),
            None => {}
        }
        if let Some(decision) = fields.object("decision") {
            self.take_decision(Fields {
                fields: decision,
                ignored: Vec::new(),
                within: "hookSpecificOutput.decision.",
            });
        }
        self.ignored.extend(fields.rest());
    }

    /// The answer to a request for a permission.
    fn take_decision(&mut self, mut fields: Fields) {
        let message = fields.text("message").unwrap_or_default();
        match fields.text("behavior") {
            Some(word) if is_permission(&word) => self.permission = Some((word, message)),
            Some(_) => fields.ignored.push("hookSpecificOutput.decision.behavior".to_owned()),
            None => {}
        }
        self.ignored.extend(fields.rest());
    }
}

fn is_permission(word: &str) -> bool {
    ["allow", "deny", "ask"].contains(&word)
}

/// Fields that are taken one by one; those of another kind than documented are passed over.
struct Fields {
    fields: Map<String, Value>,
    ignored: Vec<String>,
    within: &'static str,
}

impl Fields {
    fn take<T>(&mut self, name: &str, read: impl FnOnce(Value) -> Result<T, Value>) -> Option<T> {
        match self.fields.remove(name).map(read)? {
            Ok(read) => Some(read),
            Err(Value::Null) => None,
            Err(_) => {
                self.ignored.push(format!("{}{name}", self.within));
                None
            }
        }
    }

    fn text(&mut self, name: &str) -> Option<String> {
        self.take(name, |value| match value {
            Value::String(text) => Ok(text),
            other => Err(other),
        })
    }

    fn bool(&mut self, name: &str) -> Option<bool> {
        self.take(name, |value| value.as_bool().ok_or(value))
    }

    fn object(&mut self, name: &str) -> Option<Map<String, Value>> {
        self.take(name, |value| match value {
            Value::Object(fields) => Ok(fields),
            other => Err(other),
        })
    }

    /// Names of what nobody took.
    fn rest(self) -> Vec<String> {
        let left = self.fields.into_iter().map(|(name, _)| format!("{}{name}", self.within));
        self.ignored.into_iter().chain(left).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(json: &str) -> Answer {
        match parse(json) {
            Output::Answer(answer) => *answer,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_text_and_broken_json_are_told_apart() {
        assert_eq!(parse(" \n"), Output::Nothing);
        assert_eq!(parse("hello {\"a\":1}"), Output::Text);
        assert_eq!(parse("[1]"), Output::Text);
        for broken in ["{", "{\"a\":1} and more", "{'a':1}", "{\"a\":1}{\"b\":2}"] {
            assert!(matches!(parse(broken), Output::Broken(_)), "{broken}");
        }
        assert_eq!(answer("\u{feff} {} "), Answer::default());
        assert_eq!(
            answer(r#"{"continue":true,"suppressOutput":true,"systemMessage":null}"#),
            Answer::default()
        );
    }

    #[test]
    fn documented_fields_are_read_and_others_are_named() {
        let read = answer(
            r#"{"continue":false,"stopReason":"S","systemMessage":"M","decision":"block","reason":"R","zeta":1,"alpha":2,
               "hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"C","permissionDecision":"ask",
               "permissionDecisionReason":"P","updatedInput":{}}}"#,
        );
        assert!(read.stops && read.blocks);
        assert_eq!(
            [&*read.stop_reason, &*read.system_message, &*read.reason, &*read.context],
            ["S", "M", "R", "C"]
        );
        assert_eq!(read.permission, Some(("ask".into(), "P".into())));
        assert_eq!(read.event.as_deref(), Some("PreToolUse"));
        assert_eq!(read.ignored, ["alpha", "hookSpecificOutput.updatedInput", "zeta"]);
    }

    #[test]
    fn a_field_of_another_kind_costs_only_itself() {
        let read = answer(
            r#"{"continue":"no","systemMessage":7,"decision":"perhaps","hookSpecificOutput":{"additionalContext":"C"}}"#,
        );
        assert_eq!(read.context, "C");
        assert!(!read.stops && !read.blocks && read.permission.is_none());
        assert_eq!(read.ignored, ["continue", "decision", "systemMessage"]);
    }

    #[test]
    fn context_counts_in_its_documented_place_only() {
        let read = answer(r#"{"additionalContext":"C"}"#);
        assert_eq!((&*read.context, read.ignored), ("", vec!["additionalContext".to_owned()]));
    }

    #[test]
    fn older_and_newer_forms_of_a_permission_are_read() {
        assert_eq!(
            answer(r#"{"decision":"approve","reason":"r"}"#).permission,
            Some(("allow".into(), "r".into()))
        );
        let newer = r#"{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m"}}}"#;
        assert_eq!(answer(newer).permission, Some(("deny".into(), "m".into())));
        let odd = answer(r#"{"hookSpecificOutput":{"permissionDecision":"perhaps"}}"#);
        assert_eq!(
            (odd.permission, odd.ignored),
            (None, vec!["hookSpecificOutput.permissionDecision".to_owned()])
        );
    }

    #[test]
    fn half_a_surrogate_pair_does_not_lose_the_answer() {
        assert_eq!(answer(r#"{"systemMessage":"a\ud83d b"}"#).system_message, "a\u{fffd} b");
    }
}
