//! Texts of a scenario: placeholders and repetitions.

use serde_json::Value;

/// The JSON text with each `{"repeat": ["text", n]}` written out. Text without one comes back as it is, byte for byte.
pub(crate) fn repeated(json: String) -> anyhow::Result<String> {
    if !json.contains("\"repeat\"") {
        return Ok(json);
    }
    let value = expand(serde_json::from_str(&json)?)?;
    Ok(serde_json::to_string(&value)?)
}

fn expand(value: Value) -> anyhow::Result<Value> {
    Ok(match value {
        Value::Object(map) if map.len() == 1 && map.contains_key("repeat") => repeat(&map["repeat"])?,
        Value::Object(map) => {
            let pairs: Result<_, anyhow::Error> =
                map.into_iter().map(|(key, value)| Ok((key, expand(value)?))).collect();
            Value::Object(pairs?)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(expand).collect::<Result<_, _>>()?),
        other => other,
    })
}

fn repeat(arguments: &Value) -> anyhow::Result<Value> {
    let wanted = || anyhow::anyhow!("repeat wants [text, count]");
    let [text, count] = arguments.as_array().map(Vec::as_slice).ok_or_else(wanted)? else {
        return Err(wanted());
    };
    let text = text.as_str().ok_or_else(wanted)?;
    let count = usize::try_from(count.as_u64().ok_or_else(wanted)?)?;
    anyhow::ensure!(text.len().saturating_mul(count) <= 1 << 30, "a repetition of more than 1 GiB");
    Ok(Value::String(text.repeat(count)))
}
