//! What holds for every line that a scenario prints.

use context_tests::anthropic_rules;
use serde_json::Value;

/// Words of a decision's verdict.
const VERDICTS: [&str; 6] = ["included", "left_out", "cut", "pending", "failed", "timed_out"];

/// Checks one line.
pub(crate) fn hold(printed: &Value) -> Result<(), String> {
    if printed.get("turn").is_none() {
        return Ok(());
    }
    let request = &printed["request"];
    if request.is_null() {
        let blocked = printed["blocked"].as_str().is_some_and(|why| !why.is_empty());
        return ensure(blocked, || "neither a request nor a reason why there is none".into());
    }
    anthropic_rules::check(request)?;
    wrappers(request)?;
    pictures(request)?;
    each(printed, "decisions", decision)?;
    each(printed, "attachments", attachment)
}

/// Without a fault nothing is late, stuck or broken: what is told as such would be a race of ours.
pub(crate) fn nothing_is_lost_to_time(printed: &Value) -> Result<(), String> {
    const RACES: [&str; 6] =
        ["deadline", "still_running", "io_stalled", "reader_panicked", "collector_panicked", "panicked"];
    let empty = Vec::new();
    let decisions = printed["decisions"].as_array().unwrap_or(&empty).iter();
    let mut lost = decisions.filter(|one| one["reason"].as_str().is_some_and(|why| RACES.contains(&why)));
    lost.next().map_or(Ok(()), |one| Err(format!("something is lost without a fault: {one}")))
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn each(printed: &Value, key: &str, check: fn(&Value) -> Result<(), String>) -> Result<(), String> {
    printed[key].as_array().ok_or_else(|| format!("no {key}"))?.iter().try_for_each(check)
}

fn decision(decision: &Value) -> Result<(), String> {
    let word = |key: &str| decision[key].as_str().unwrap_or_default();
    let snake = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let whole = !word("subject").is_empty()
        && (VERDICTS.contains(&word("verdict")) || word("verdict") == "deferred")
        && snake(word("reason"))
        && word("detail").ends_with('.');
    ensure(whole, || format!("a decision says too little: {decision}"))?;
    let raw = [word("subject"), word("detail")].concat().chars().any(char::is_control);
    ensure(!raw, || format!("a decision with raw control characters: {decision}"))
}

fn attachment(attachment: &Value) -> Result<(), String> {
    let whole = ["type", "uuid", "timestamp"].iter().all(|key| attachment[*key].is_string());
    ensure(whole, || format!("an attachment says too little: {attachment}"))
}

/// Reminders open and close in pairs, one in each block at most, around the whole of it.
fn wrappers(request: &Value) -> Result<(), String> {
    let empty = Vec::new();
    for message in request["messages"].as_array().unwrap_or(&empty) {
        for block in message["content"].as_array().unwrap_or(&empty) {
            let Some(text) = block["text"].as_str() else { continue };
            let (opened, closed) =
                (text.matches("<system-reminder>").count(), text.matches("</system-reminder>").count());
            let whole =
                text.starts_with("<system-reminder>") && text.trim_end().ends_with("</system-reminder>");
            ensure(opened == closed && opened <= 1 && (opened == 0 || whole), || {
                format!("{opened} reminders open and {closed} close in one block: {text:?}")
            })?;
        }
    }
    Ok(())
}

/// Sides of pictures: 8,000 pixels at most, 2,000 where a request holds more than 20 (Vision).
fn pictures(request: &Value) -> Result<(), String> {
    let mut found = Vec::new();
    collect_pictures(&request["messages"], &mut found);
    let most = if found.len() > 20 { 2000 } else { 8000 };
    for data in found {
        let bytes = decoded(data);
        let Some((wide, high)) = png_size(&bytes).or_else(|| jpeg_size(&bytes)) else { continue };
        ensure(wide.max(high) <= most, || format!("a picture of {wide} × {high} pixels"))?;
    }
    Ok(())
}

fn collect_pictures<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_pictures(item, found)),
        Value::Object(fields) if fields.get("type").is_some_and(|kind| kind == "image") => {
            found.extend(value["source"]["data"].as_str());
        }
        Value::Object(fields) => fields.values().for_each(|item| collect_pictures(item, found)),
        _ => {}
    }
}

pub(crate) fn decoded(base64: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = base64.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte));
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        bits = bits << 6 | u32::try_from(digit).expect("below 64");
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).expect("a byte"));
        }
        bits &= 0xffff;
    }
    bytes
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn png_size(bytes: &[u8]) -> Option<(usize, usize)> {
    bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    Some((number(bytes.get(16..20)?), number(bytes.get(20..24)?)))
}

fn jpeg_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let (marker, length) = (*rest.get(1)?, number(rest.get(2..4)?));
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            return Some((number(rest.get(7..9)?), number(rest.get(5..7)?)));
        }
        rest = rest.get(2 + length..)?;
    }
}

#[test]
fn sizes_of_pictures_are_read() {
    let png = decoded("iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7");
    assert_eq!(png_size(&png), Some((4, 3)));
    let jpeg = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x09\x00\x07\x01";
    assert_eq!(jpeg_size(jpeg), Some((7, 9)));
}
