//! Pictures.

use std::path::Path;

use context_api::{ReadErrorKind, ReadRequest};

use super::bytes::Whole;
use super::{Shown, StandardReader};

/// A picture as a model takes it; text where it only begins like a picture.
#[cfg(feature = "image")]
pub(super) fn show(
    reader: &StandardReader,
    request: &ReadRequest,
    path: &Path,
    whole: Whole,
) -> Result<Shown, ReadErrorKind> {
    use context_api::{FileContent, FileImage, StateKind};
    match crate::fit_image_within(&whole.bytes, &reader.limits.image) {
        Ok(fitted) => {
            let state = reader.opaque_state(path, &whole.meta, &whole.bytes, StateKind::Image);
            let decisions = scaled(&request.path, &fitted, whole.bytes.len());
            let note = crate::wording::image_note(&fitted);
            let image = FileImage::default()
                .width(fitted.width)
                .height(fitted.height)
                .note(note)
                .source(super::base64_source(fitted.media_type, &fitted.bytes));
            Ok(Shown { content: FileContent::Image(image), state: Some(state), decisions })
        }
        // Text may begin as a picture does; what is no UTF-8 as well was meant to be one.
        Err(_) if !context_text::is_binary(&whole.bytes) && std::str::from_utf8(&whole.bytes).is_ok() => {
            super::text::show(reader, request, path, whole)
        }
        Err(problem) => Err(ReadErrorKind::Unusable { reason: problem.to_string() }),
    }
}

#[cfg(feature = "image")]
fn scaled(path: &Path, fitted: &crate::FittedImage, bytes: usize) -> Vec<context_api::Decision> {
    let decision = |reason| {
        context_api::Decision::cut(
            context_text::display_path(path),
            reason,
            crate::wording::image_note(fitted),
        )
        .bytes(bytes as u64)
    };
    let is_scaled = (fitted.width, fitted.height) != (fitted.original_width, fitted.original_height);
    let reason = if is_scaled { "image_scaled" } else { "image_rewritten" };
    fitted.is_rewritten.then(|| decision(reason)).into_iter().collect()
}

/// Without the feature a picture is named.
#[cfg(not(feature = "image"))]
pub(super) fn show(
    _: &StandardReader,
    _: &ReadRequest,
    _: &Path,
    whole: Whole,
) -> Result<Shown, ReadErrorKind> {
    let size = whole.meta.fingerprint.len;
    Ok(super::binary::name(&whole.bytes, size, crate::wording::NO_IMAGES))
}

/// Whether the name promises a picture.
pub(super) fn is_named_so(path: &Path) -> bool {
    const NAMES: [&str; 5] = ["png", "jpg", "jpeg", "gif", "webp"];
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|extension| NAMES.contains(&&*extension))
}
