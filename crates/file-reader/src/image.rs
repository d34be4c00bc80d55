//! Pictures made to fit: upright, small enough, and known to be whole.

use std::io::Cursor;
use std::panic::catch_unwind;

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

use crate::ImageLimits;

/// A picture that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FittedImage {
    /// The picture as a file: the bytes given where they fit already.
    pub bytes: Vec<u8>,
    /// Such as `image/png`.
    pub media_type: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Width in pixels of the picture given, upright.
    pub original_width: u32,
    /// Height in pixels of the picture given, upright.
    pub original_height: u32,
    /// Whether the bytes are others than those given.
    pub is_rewritten: bool,
}

/// Why a picture can not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageProblem {
    /// Neither PNG nor JPEG, GIF or WebP.
    #[error("this is no picture in PNG, JPEG, GIF or WebP")]
    UnknownFormat,
    /// It can not be unpacked: damaged or cut off.
    #[error("the picture is damaged or cut off")]
    Broken,
    /// It would take too much memory.
    #[error("the picture has {width} x {height} pixels, too many to be unpacked")]
    TooManyPixels {
        /// Width in pixels, 0 where unknown.
        width: u32,
        /// Height in pixels, 0 where unknown.
        height: u32,
    },
    /// However small it is made, it does not fit.
    #[error("the picture can not be made small enough")]
    DoesNotFit,
}

/// Makes a picture fit into `max_side` pixels and `max_bytes` bytes, with the other limits at their defaults.
///
/// # Errors
/// See [`ImageProblem`].
pub fn fit_image(bytes: &[u8], max_side: u32, max_bytes: usize) -> Result<FittedImage, ImageProblem> {
    fit_image_within(bytes, &ImageLimits::default().side(max_side).bytes(max_bytes))
}

/// Makes a picture fit. One that fits and stands upright stays as it is, byte for byte, once it is known that it can be
/// unpacked; of others the first frame is scaled, turned and written anew: without loss where it came without loss and has
/// room, else as JPEG, in lower quality and smaller until it fits.
///
/// # Errors
/// See [`ImageProblem`].
pub fn fit_image_within(bytes: &[u8], limits: &ImageLimits) -> Result<FittedImage, ImageProblem> {
    // A decoder that panics on damaged bytes costs this picture and nothing else.
    catch_unwind(|| fit(bytes, limits)).unwrap_or(Err(ImageProblem::Broken))
}

fn fit(bytes: &[u8], limits: &ImageLimits) -> Result<FittedImage, ImageProblem> {
    let (format, turn, mut picture) = unpack(bytes, limits)?;
    let fits = picture.width().max(picture.height()) <= limits.side && bytes.len() <= limits.bytes;
    if fits && turn == Orientation::NoTransforms {
        return Ok(fitted(bytes.to_vec(), format, &picture, &picture, false));
    }
    picture.apply_orientation(turn);
    let (bytes, format, smaller) = shrink(format, &picture, limits)?;
    Ok(fitted(bytes, format, &smaller, &picture, true))
}

fn fitted(
    bytes: Vec<u8>,
    format: ImageFormat,
    now: &DynamicImage,
    before: &DynamicImage,
    is_rewritten: bool,
) -> FittedImage {
    FittedImage {
        bytes,
        media_type: format.to_mime_type(),
        width: now.width(),
        height: now.height(),
        original_width: before.width(),
        original_height: before.height(),
        is_rewritten,
    }
}

fn unpack(
    bytes: &[u8],
    limits: &ImageLimits,
) -> Result<(ImageFormat, Orientation, DynamicImage), ImageProblem> {
    use ImageFormat::{Gif, Jpeg, Png, WebP};
    let format = image::guess_format(bytes).map_err(|_| ImageProblem::UnknownFormat)?;
    if !matches!(format, Png | Jpeg | Gif | WebP) {
        return Err(ImageProblem::UnknownFormat);
    }
    if format == Jpeg && !has_jpeg_end(bytes) {
        return Err(ImageProblem::Broken);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(bounds(limits));
    let mut decoder = reader.into_decoder().map_err(|error| problem(&error))?;
    let (width, height) = decoder.dimensions();
    if decoder.total_bytes() > limits.decode_bytes {
        return Err(ImageProblem::TooManyPixels { width, height });
    }
    let turn = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| problem(&error))?;
    Ok((format, turn, picture))
}

fn bounds(limits: &ImageLimits) -> Limits {
    let mut bounds = Limits::no_limits();
    bounds.max_image_width = Some(limits.decode_side);
    bounds.max_image_height = Some(limits.decode_side);
    bounds.max_alloc = Some(limits.decode_bytes);
    bounds
}

fn problem(error: &image::ImageError) -> ImageProblem {
    match error {
        image::ImageError::Limits(_) => ImageProblem::TooManyPixels { width: 0, height: 0 },
        _ => ImageProblem::Broken,
    }
}

/// The decoder fills what is missing of a cut file with grey; a provider may refuse such a file.
fn has_jpeg_end(bytes: &[u8]) -> bool {
    memchr::memmem::rfind(bytes, b"\xFF\xD9").is_some()
}

/// Scaled, and written in the best form that fits.
fn shrink(
    format: ImageFormat,
    picture: &DynamicImage,
    limits: &ImageLimits,
) -> Result<(Vec<u8>, ImageFormat, DynamicImage), ImageProblem> {
    let mut side = picture.width().max(picture.height()).min(limits.side);
    loop {
        let smaller = scaled(picture, side)?;
        if let Some((bytes, format)) = written(format, &smaller, limits) {
            return Ok((bytes, format, smaller));
        }
        side = side / 4 * 3;
        if side < limits.least_side {
            return Err(ImageProblem::DoesNotFit);
        }
    }
}

fn scaled(picture: &DynamicImage, side: u32) -> Result<DynamicImage, ImageProblem> {
    let (width, height) = (picture.width(), picture.height());
    let long = width.max(height);
    if long <= side {
        return Ok(picture.clone());
    }
    let part = |edge: u32| (u64::from(edge) * u64::from(side)).div_ceil(u64::from(long)).max(1);
    let edge = |pixels: u32| u32::try_from(part(pixels)).unwrap_or(side).min(side);
    let mut smaller = DynamicImage::new(edge(width), edge(height), picture.color());
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom));
    Resizer::new().resize(picture, &mut smaller, &options).map_err(|_| ImageProblem::Broken)?;
    Ok(smaller)
}

fn written(
    format: ImageFormat,
    picture: &DynamicImage,
    limits: &ImageLimits,
) -> Option<(Vec<u8>, ImageFormat)> {
    if format != ImageFormat::Jpeg
        && let Some(bytes) = png(picture).filter(|bytes| bytes.len() <= limits.bytes)
    {
        return Some((bytes, ImageFormat::Png));
    }
    let opaque = on_white(picture);
    let mut quality = limits.quality;
    loop {
        if let Some(bytes) = jpeg(&opaque, quality).filter(|bytes| bytes.len() <= limits.bytes) {
            return Some((bytes, ImageFormat::Jpeg));
        }
        quality = quality.saturating_sub(limits.quality_step.max(1));
        if quality < limits.least_quality {
            return None;
        }
    }
}

fn png(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    let plain = in_eight_bits(picture);
    plain.as_ref().unwrap_or(picture).write_to(&mut bytes, ImageFormat::Png).ok()?;
    Some(bytes.into_inner())
}

/// More than eight bits a colour nobody sees, and they double the size.
fn in_eight_bits(picture: &DynamicImage) -> Option<DynamicImage> {
    let colour = picture.color();
    let is_deep = colour.bytes_per_pixel() > colour.channel_count();
    is_deep.then(|| match colour.has_alpha() {
        true => DynamicImage::ImageRgba8(picture.to_rgba8()),
        false => DynamicImage::ImageRgb8(picture.to_rgb8()),
    })
}

fn jpeg(picture: &RgbImage, quality: u8) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture).ok()?;
    Some(bytes)
}

/// JPEG knows no transparency; what shines through is white, as on a page.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let rgba = picture.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [red, green, blue, alpha] = rgba.get_pixel(x, y).0;
        Rgb([red, green, blue].map(|colour| over_white(colour, alpha)))
    })
}

fn over_white(colour: u8, alpha: u8) -> u8 {
    const FULL: u16 = u8::MAX as u16;
    let mixed = (u16::from(colour) * u16::from(alpha) + FULL * (FULL - u16::from(alpha))) / FULL;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}
