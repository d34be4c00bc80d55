//! Images and documents.

use context_api::{ContentBlock, DocumentBlock, ImageBlock, MediaSource};

use super::AnthropicLimits;
use crate::Fault;
use crate::media::{Picture, decode, picture, visible_pages};
use crate::seat::Seat;

/// Media types of pictures that the provider takes.
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const PDF: &str = "application/pdf";
const BLOB: &str = "its bytes lie in the session's blobs and have to be put in before";

pub(super) fn check(seats: &[Seat<'_>], limits: &AnthropicLimits, faults: &mut Vec<Fault>) {
    let found: Vec<_> = seats.iter().flat_map(media).collect();
    let images = found.iter().filter(|(_, media)| matches!(media, Media::Image(_))).count();
    let side = if images > limits.many_images { limits.many_images_side } else { limits.image_side };
    let (mut image, mut pages) = (0, 0);
    for (seat, media) in &found {
        let problem = match media {
            Media::Image(block) => {
                image += 1;
                of_image(block, image, side, limits)
            }
            Media::Document(block) => of_document(block, &mut pages, limits),
        };
        faults.extend(problem.map(|(reason, problem)| seat.mendable(media.name(), reason, problem)));
    }
}

enum Media<'a> {
    Image(&'a ImageBlock),
    Document(&'a DocumentBlock),
}

impl Media<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Image(_) => "An image",
            Self::Document(_) => "A document",
        }
    }
}

/// Those of a block itself and those inside a tool result.
fn media<'a>(seat: &Seat<'a>) -> Vec<(Seat<'a>, Media<'a>)> {
    let of = |content: &'a ContentBlock| match content {
        ContentBlock::Image(block) => Some((*seat, Media::Image(block))),
        ContentBlock::Document(block) => Some((*seat, Media::Document(block))),
        _ => None,
    };
    match seat.content() {
        ContentBlock::ToolResult(result) => result.content.iter().filter_map(of).collect(),
        content => of(content).into_iter().collect(),
    }
}

/// A reason in snake case and a sentence's end.
type Problem = (&'static str, String);

fn of_image(block: &ImageBlock, number: usize, side: u64, limits: &AnthropicLimits) -> Option<Problem> {
    if number > limits.images {
        return Some(("too_many_images", format!("a request holds at most {} images", limits.images)));
    }
    match &block.source {
        MediaSource::Base64 { media_type, data } => of_bytes(media_type, data, side, limits),
        source => elsewhere(source),
    }
}

fn of_bytes(media_type: &str, data: &str, side: u64, limits: &AnthropicLimits) -> Option<Problem> {
    let most = limits.image_base64_chars;
    if !PICTURES.contains(&media_type) {
        return Some(("image_type", format!("images of type {media_type:?} are not taken")));
    }
    if data.len() > most {
        return Some((
            "image_too_large",
            format!("it has {} bytes as base64 and {most} are the limit", data.len()),
        ));
    }
    let Some(Picture { media_type: real, width, height }) = picture(data) else {
        return Some(("image_unreadable", "its bytes are no JPEG, PNG, GIF or WebP image".to_owned()));
    };
    if real != media_type {
        return Some(("image_type_differs", format!("it is called {media_type} and is {real}")));
    }
    let too_wide = width.max(height) > side;
    too_wide.then(|| ("image_side", format!("it is {width} × {height} pixels and a side may have {side}")))
}

fn of_document(block: &DocumentBlock, pages: &mut u64, limits: &AnthropicLimits) -> Option<Problem> {
    match &block.source {
        MediaSource::Base64 { media_type, data } if media_type == PDF => {
            let Some(pdf) = decode(data).filter(|pdf| !pdf.is_empty()) else {
                return Some(("document_unreadable", "its bytes are no base64".to_owned()));
            };
            let before = *pages;
            *pages += visible_pages(&pdf);
            let most = limits.pdf_pages;
            let too_many = *pages > most;
            if too_many {
                let here = std::mem::replace(pages, before) - before;
                return Some((
                    "pdf_pages",
                    format!("it has {here} pages, {before} stand before it, and {most} are the limit"),
                ));
            }
            None
        }
        MediaSource::Base64 { media_type, data } if media_type.starts_with("text/") => {
            let text = decode(data).and_then(|bytes| String::from_utf8(bytes).ok());
            let empty = text.is_none_or(|text| text.trim().is_empty());
            empty.then(|| ("document_unreadable", "it holds no text".to_owned()))
        }
        MediaSource::Base64 { media_type, .. } => {
            Some(("document_type", format!("documents of type {media_type:?} are not taken")))
        }
        source => elsewhere(source),
    }
}

fn elsewhere(source: &MediaSource) -> Option<Problem> {
    match source {
        MediaSource::Url { url } if url.starts_with("https://") || url.starts_with("http://") => None,
        MediaSource::Url { .. } => Some(("media_address", "its address is no web address".to_owned())),
        _ => Some(("blob_unresolved", BLOB.to_owned())),
    }
}
