//! Parts become a request.

use context_api::{Decision, ModelRequest};

use crate::{Limits, RequestParts, marks, system, tools};

/// Puts the parts of a request in order and its cache breakpoints in place.
///
/// The same parts give the same request. Decisions say what is volatile, deferred, or out of reach of the cache.
pub fn assemble(parts: RequestParts) -> (ModelRequest, Vec<Decision>) {
    assemble_with(parts, &Limits::default())
}

/// [`assemble`] with other limits.
pub fn assemble_with(parts: RequestParts, limits: &Limits) -> (ModelRequest, Vec<Decision>) {
    let mut decisions = Vec::new();
    let mut request = ModelRequest::default();
    request.tools = tools::in_order(&parts.tools, &mut decisions);
    request.system = system::blocks(&parts, &mut decisions);
    request.model = parts.model;
    request.max_tokens = parts.max_tokens;
    request.thinking = parts.thinking;
    request.messages = parts.messages;
    let places = marks::Places {
        newest_turn_start: parts.newest_turn_start,
        stable_messages: parts.stable_messages.unwrap_or(request.messages.len()),
    };
    marks::place(&mut request, places, limits.cache_marks, &mut decisions);
    (request, decisions)
}
