//! What a provider's form can not carry.

use context_api::{ContentBlock, Decision, Verdict};

/// The decision about a block that is left out, by its place in the request.
pub(crate) fn not_carried(message: usize, block: usize, content: &ContentBlock) -> Decision {
    let place = format!("messages[{message}].content[{block}]");
    match content {
        ContentBlock::Thinking(thinking) => Decision::left_out(
            place,
            "thinking_not_carried",
            "Thinking goes back only to the provider that signed it.",
        )
        .bytes(thinking.thinking.len() as u64),
        ContentBlock::RedactedThinking(thinking) => Decision::left_out(
            place,
            "thinking_not_carried",
            "Thinking goes back only to the provider that signed it.",
        )
        .bytes(thinking.data.len() as u64),
        ContentBlock::Unknown(raw) => {
            let detail = "The block is of a type that this provider's form does not have.";
            Decision::left_out(place, "block_not_carried", detail).bytes(raw.get().len() as u64)
        }
        _ => Decision::left_out(
            place,
            "media_not_carried",
            "This provider's form has no place for an image or document of this kind there.",
        ),
    }
}

/// The decision about pictures and documents of a tool result that stand behind the results instead.
pub(crate) fn media_moved(message: usize, block: usize) -> Decision {
    Decision::new(
        format!("messages[{message}].content[{block}]"),
        Verdict::Included,
        "media_moved",
        "This provider's tool results hold text only: images and documents follow in a message of the user.",
    )
}

/// The decision about a budget for thinking that goes as a degree of effort.
pub(crate) fn thinking_as_effort(budget: u64, effort: &str) -> Decision {
    Decision::new(
        "thinking",
        Verdict::Included,
        "thinking_as_effort",
        format!("This provider takes no budget: {budget} tokens go as effort {effort}."),
    )
}
