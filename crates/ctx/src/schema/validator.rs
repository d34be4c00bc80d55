//! As much of JSON Schema as the schemas here use; any other keyword is an error, so that nothing is passed over.

use serde_json::Value;

/// Checks `value`; an error says where and why.
pub(super) fn validate(root: &Value, value: &Value) -> Result<(), String> {
    check(root, root, value)
}

fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let Some(keywords) = schema.as_object() else {
        return ensure(schema == true, || format!("{value} is not allowed"));
    };
    keywords.iter().try_for_each(|(keyword, rule)| one(root, schema, keyword, rule, value))
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn one(root: &Value, schema: &Value, keyword: &str, rule: &Value, value: &Value) -> Result<(), String> {
    let matching = || list(rule).iter().filter(|one| check(root, one, value).is_ok()).count();
    match keyword {
        "$schema" | "$defs" | "title" | "description" | "default" | "format" => Ok(()),
        "$ref" => check(root, target(root, rule), value),
        "type" => {
            let wanted = rule.as_array().map_or_else(|| vec![rule], |all| all.iter().collect());
            ensure(wanted.iter().any(|kind| is(value, kind.as_str())), || format!("{value} is no {rule}"))
        }
        "const" => ensure(value == rule, || format!("{value} is not {rule}")),
        "enum" => ensure(list(rule).contains(value), || format!("{value} is none of {rule}")),
        "not" => ensure(check(root, rule, value).is_err(), || format!("{value} is {rule}")),
        "oneOf" => ensure(matching() == 1, || format!("{} of the forms fit {value}", matching())),
        "anyOf" => ensure(matching() > 0, || format!("none of the forms fits {value}")),
        "allOf" => list(rule).iter().try_for_each(|one| check(root, one, value)),
        "minimum" => ensure(bound(value, rule, |value, rule| value >= rule), || format!("{value} < {rule}")),
        "maximum" => ensure(bound(value, rule, |value, rule| value <= rule), || format!("{value} > {rule}")),
        "minItems" => {
            ensure(counts(value, rule, |count, rule| count >= rule), || format!("{value} is short"))
        }
        "maxItems" => ensure(counts(value, rule, |count, rule| count <= rule), || format!("{value} is long")),
        "prefixItems" => {
            list(rule).iter().zip(list(value)).try_for_each(|(rule, item)| check(root, rule, item))
        }
        "items" => list(value).iter().try_for_each(|item| check(root, rule, item)),
        "required" | "properties" | "additionalProperties" => object(root, schema, keyword, rule, value),
        other => panic!("the keyword {other} is not known here"),
    }
}

fn object(root: &Value, schema: &Value, keyword: &str, rule: &Value, value: &Value) -> Result<(), String> {
    let Some(fields) = value.as_object() else { return Ok(()) };
    match keyword {
        "required" => list(rule).iter().try_for_each(|key| {
            let there = key.as_str().is_some_and(|key| fields.contains_key(key));
            ensure(there, || format!("{key} is missing in {value}"))
        }),
        "properties" => fields.iter().try_for_each(|(key, value)| {
            rule.get(key)
                .map_or(Ok(()), |rule| check(root, rule, value).map_err(|why| format!("{key}: {why}")))
        }),
        _ => fields
            .iter()
            .filter(|(key, _)| schema["properties"].get(key.as_str()).is_none())
            .try_for_each(|(key, value)| check(root, rule, value).map_err(|why| format!("{key}: {why}"))),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn target<'a>(root: &'a Value, reference: &Value) -> &'a Value {
    let path =
        reference.as_str().and_then(|text| text.strip_prefix('#')).expect("a reference within the schema");
    root.pointer(path).unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

fn is(value: &Value, kind: Option<&str>) -> bool {
    match kind.expect("a type is a word") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known here"),
    }
}

fn bound(value: &Value, rule: &Value, holds: fn(f64, f64) -> bool) -> bool {
    value.as_f64().is_none_or(|value| holds(value, rule.as_f64().expect("a number")))
}

fn counts(value: &Value, rule: &Value, holds: fn(u64, u64) -> bool) -> bool {
    let rule = rule.as_u64().expect("a count");
    value.as_array().is_none_or(|items| holds(items.len() as u64, rule))
}
