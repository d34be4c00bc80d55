//! Images and documents that a provider would refuse.

use context_api::{ContentBlock, DocumentBlock, ImageBlock, MediaSource};

use crate::Fault;
use crate::media::{Picture, decode, picture, visible_pages};
use crate::rules::MediaRules;
use crate::seat::Seat;

const PDF: &str = "application/pdf";
const BLOB: &str = "its bytes lie in the session's blobs and have to be put in before";

pub(super) fn check(found: &[(Seat<'_>, Media<'_>)], rules: &MediaRules, faults: &mut Vec<Fault>) {
    let images = found.iter().filter(|(_, media)| matches!(media, Media::Image(_))).count();
    let side = if images > rules.many { rules.many_side } else { rules.side };
    let (mut image, mut pages) = (0, 0);
    for (seat, media) in found {
        if let MediaSource::Blob { .. } = media.source() {
            faults.push(seat.fault(BLOB));
            continue;
        }
        let problem = match media {
            Media::Image(block) => {
                image += 1;
                // The oldest give way.
                if image + rules.images <= images { too_many(rules) } else { of_image(block, side, rules) }
            }
            Media::Document(block) => of_document(block, &mut pages, rules),
        };
        faults.extend(problem.map(|(reason, problem)| seat.mendable(media.name(), reason, problem)));
    }
}

pub(super) enum Media<'a> {
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

    fn source(&self) -> &MediaSource {
        match self {
            Self::Image(block) => &block.source,
            Self::Document(block) => &block.source,
        }
    }
}

/// Those of a block itself and those inside a tool result.
pub(super) fn of(content: &ContentBlock) -> impl Iterator<Item = Media<'_>> {
    let inside = match content {
        ContentBlock::ToolResult(result) => result.content.as_slice(),
        _ => &[],
    };
    alone(content).into_iter().chain(inside.iter().filter_map(alone))
}

fn alone(content: &ContentBlock) -> Option<Media<'_>> {
    match content {
        ContentBlock::Image(block) => Some(Media::Image(block)),
        ContentBlock::Document(block) => Some(Media::Document(block)),
        _ => None,
    }
}

/// A reason in snake case and a sentence's end.
type Problem = (&'static str, String);

fn too_many(rules: &MediaRules) -> Option<Problem> {
    Some(("too_many_images", format!("a request holds at most {} images", rules.images)))
}

fn of_image(block: &ImageBlock, side: u64, rules: &MediaRules) -> Option<Problem> {
    match &block.source {
        MediaSource::Base64 { media_type, data } => of_bytes(media_type, data, side, rules),
        source => elsewhere(source),
    }
}

fn of_bytes(media_type: &str, data: &str, side: u64, rules: &MediaRules) -> Option<Problem> {
    let most = rules.image_chars;
    if !rules.image_types.contains(&media_type) {
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

fn of_document(block: &DocumentBlock, pages: &mut u64, rules: &MediaRules) -> Option<Problem> {
    match &block.source {
        MediaSource::Base64 { media_type, data } if media_type == PDF => of_pdf(data, pages, rules),
        MediaSource::Base64 { media_type, data } if media_type.starts_with("text/") => of_text(data),
        MediaSource::Base64 { media_type, .. } => {
            Some(("document_type", format!("documents of type {media_type:?} are not taken")))
        }
        source => elsewhere(source),
    }
}

/// Pages add up over all documents; one that would be too much does not count for those behind it.
fn of_pdf(data: &str, pages: &mut u64, rules: &MediaRules) -> Option<Problem> {
    let Some(pdf) = decode(data).filter(|pdf| !pdf.is_empty()) else {
        return Some(("document_unreadable", "its bytes are no base64".to_owned()));
    };
    let (here, before, most) = (visible_pages(&pdf), *pages, rules.pdf_pages);
    if before + here > most {
        let problem = format!("it has {here} pages, {before} stand before it, and {most} are the limit");
        return Some(("pdf_pages", problem));
    }
    *pages += here;
    None
}

fn of_text(data: &str) -> Option<Problem> {
    let text = decode(data).and_then(|bytes| String::from_utf8(bytes).ok());
    let empty = text.is_none_or(|text| text.trim().is_empty());
    empty.then(|| ("document_unreadable", "it holds no text".to_owned()))
}

fn elsewhere(source: &MediaSource) -> Option<Problem> {
    let MediaSource::Url { url } = source else { return None };
    let web = url.starts_with("https://") || url.starts_with("http://");
    (!web).then(|| ("media_address", "its address is no web address".to_owned()))
}
