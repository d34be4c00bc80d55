//! Pictures, made here.

use std::io::Cursor;

use base64::Engine;
use context_api::{FileContent, FileImage, MediaSource, ReadErrorKind, ReadOutcome, StateKind};
use context_testkit::Place;
use context_text::content_hash;
use file_reader::{ImageLimits, ImageProblem, ReadLimits, fit_image, fit_image_within};
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use crate::support::*;

fn gradient(width: u32, height: u32) -> DynamicImage {
    let colour = |x: u32, y: u32| Rgb([(x * 255 / width) as u8, (y * 255 / height) as u8, 128]);
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, colour))
}

/// Colours without any order, which no format packs well.
fn noise(width: u32, height: u32) -> DynamicImage {
    let mut seed = 1_u32;
    let mut next = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |_, _| Rgb([next(), next(), next()])))
}

fn packed(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

fn png(picture: &DynamicImage) -> Vec<u8> {
    packed(picture, ImageFormat::Png)
}

fn image(outcome: &ReadOutcome) -> &FileImage {
    match &outcome.content {
        FileContent::Image(image) => image,
        other => panic!("no picture: {other:?}"),
    }
}

fn sent(image: &FileImage) -> (String, Vec<u8>) {
    let Some(MediaSource::Base64 { media_type, data }) = &image.source else { panic!("no bytes") };
    (media_type.clone(), base64::engine::general_purpose::STANDARD.decode(&**data).expect("base64"))
}

fn read_picture(name: &str, bytes: &[u8]) -> ReadOutcome {
    let place = Place::new();
    read(place.write(name, bytes))
}

fn refused(name: &str, bytes: &[u8]) -> ReadErrorKind {
    let place = Place::new();
    kind_of_error(&reader(), &whole(place.write(name, bytes)))
}

#[test]
fn a_picture_that_fits_is_sent_as_it_is_whatever_its_name() {
    use ImageFormat::{Gif, Jpeg, Png, WebP};
    for (format, media) in
        [(Png, "image/png"), (Jpeg, "image/jpeg"), (Gif, "image/gif"), (WebP, "image/webp")]
    {
        let bytes = packed(&gradient(40, 30), format);
        let outcome = read_picture("picture.dat", &bytes);
        assert_eq!(sent(image(&outcome)), (media.to_owned(), bytes.clone()));
        assert_eq!((image(&outcome).width, image(&outcome).height, &*image(&outcome).note), (40, 30, ""));
        let state = outcome.state.unwrap();
        assert_eq!((state.kind, state.hash, state.content), (StateKind::Image, content_hash(&bytes), None));
        assert!(outcome.decisions.is_empty());
    }
}

#[test]
fn a_picture_over_the_bytes_is_packed_anew_below_five_megabytes_of_base64() {
    let bytes = png(&noise(1_250, 1_200));
    assert!(bytes.len() > 4_400_000);
    let outcome = read_picture("noise.png", &bytes);
    let (media, sent) = sent(image(&outcome));
    assert!(sent.len() < 3_750_000 && sent.len().div_ceil(3) * 4 <= 5_242_880, "{}", sent.len());
    assert_eq!(media, "image/jpeg");
    assert_eq!(image::load_from_memory(&sent).unwrap().dimensions(), (1_250, 1_200));
    assert_eq!(reasons(&outcome), ["image_rewritten"]);
    assert_eq!(outcome.state.unwrap().hash, content_hash(&bytes), "the file's, not that of what is sent");
}

#[test]
fn a_tall_picture_is_scaled_with_its_aspect_and_says_from_what() {
    let outcome = read_picture("tall.png", &png(&gradient(40, 9_000)));
    let picture = image(&outcome);
    assert_eq!((picture.width, picture.height), (7, 1_568));
    insta::assert_snapshot!(picture.note, @"The picture was scaled from 40 x 9000 to 7 x 1568 pixels.");
    assert_eq!(image::load_from_memory(&sent(picture).1).unwrap().dimensions(), (7, 1_568));
    assert_eq!(reasons(&outcome), ["image_scaled"]);
}

#[test]
fn no_side_is_ever_over_2000_so_that_many_pictures_may_come_together() {
    for n in 0..25 {
        let outcome = read_picture("s.png", &png(&gradient(if n == 0 { 2_400 } else { 50 }, 60)));
        assert!(image(&outcome).width.max(image(&outcome).height) <= 2_000);
    }
}

#[test]
fn scaling_keeps_what_the_picture_shows() {
    let half = |x: u32, _: u32| if x < 1_000 { Rgb([200, 0, 0]) } else { Rgb([0, 0, 200]) };
    let picture = DynamicImage::ImageRgb8(RgbImage::from_fn(2_000, 1_000, half));
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        let fitted = fit_image(&packed(&picture, format), 100, 1_000_000).unwrap();
        assert_eq!((fitted.width, fitted.height, fitted.original_width), (100, 50, 2_000));
        let back = image::load_from_memory(&fitted.bytes).unwrap().to_rgb8();
        assert!(back.get_pixel(20, 25).0[0] > 180 && back.get_pixel(80, 25).0[2] > 180);
    }
}

#[test]
fn what_shines_through_becomes_white_where_only_jpeg_fits() {
    let clear = DynamicImage::ImageRgba8(RgbaImage::from_pixel(300, 300, Rgba([0, 0, 0, 0])));
    let limits = ImageLimits::default().bytes(600).least_side(1);
    let fitted = fit_image_within(&png(&clear), &limits);
    let kept = fit_image(&png(&clear), 100, 100_000).unwrap();
    assert_eq!(
        (kept.media_type, image::load_from_memory(&kept.bytes).unwrap().color().has_alpha()),
        ("image/png", true)
    );
    if let Ok(fitted) = fitted {
        let back = image::load_from_memory(&fitted.bytes).unwrap().to_rgba8();
        let Rgba([red, _, _, alpha]) = *back.get_pixel(0, 0);
        assert!(alpha == 0 || red > 250, "black where nothing was");
    }
    let mut noisy = noise(200, 200).to_rgba8();
    noisy.pixels_mut().for_each(|pixel| pixel.0[3] = 0);
    let fitted = fit_image(&png(&DynamicImage::ImageRgba8(noisy)), 200, 20_000).unwrap();
    assert_eq!(fitted.media_type, "image/jpeg");
    assert!(image::load_from_memory(&fitted.bytes).unwrap().to_rgb8().pixels().all(|pixel| pixel.0[0] > 240));
}

/// A JPEG with an orientation of EXIF in it.
fn turned(picture: &DynamicImage, orientation: u8) -> Vec<u8> {
    let jpeg = packed(picture, ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    let mut out = jpeg[..2].to_vec();
    out.extend(b"\xFF\xE1");
    out.extend((exif.len() as u16 + 2).to_be_bytes());
    out.extend(exif);
    out.extend(&jpeg[2..]);
    out
}

#[test]
fn a_picture_taken_sideways_stands_upright() {
    let left_red = |x: u32, _: u32| if x < 40 { Rgb([220, 0, 0]) } else { Rgb([0, 0, 220]) };
    let picture = DynamicImage::ImageRgb8(RgbImage::from_fn(80, 40, left_red));
    let fitted = fit_image(&turned(&picture, 6), 1_568, 1_000_000).unwrap();
    assert_eq!((fitted.width, fitted.height, fitted.is_rewritten), (40, 80, true));
    let back = image::load_from_memory(&fitted.bytes).unwrap().to_rgb8();
    assert!(back.get_pixel(20, 10).0[0] > 180, "turned by a quarter to the right, the left becomes the top");
    let upright = fit_image(&turned(&picture, 1), 1_568, 1_000_000).unwrap();
    assert!(!upright.is_rewritten);
}

#[test]
fn sixteen_bits_a_colour_become_eight_when_written() {
    let deep = DynamicImage::ImageRgb16(gradient(400, 300).to_rgb16());
    let fitted = fit_image(&png(&deep), 200, 1_000_000).unwrap();
    assert_eq!(image::load_from_memory(&fitted.bytes).unwrap().color(), image::ColorType::Rgb8);
}

/// A PNG that only says how large it is.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut chunk = b"IHDR".to_vec();
    chunk.extend(width.to_be_bytes());
    chunk.extend(height.to_be_bytes());
    chunk.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0D".to_vec();
    out.extend(&chunk);
    out.extend(crc32(&chunk).to_be_bytes());
    out.extend(b"\0\0\0\x08IDATxxxxxxxx\0\0\0\0");
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[test]
fn a_picture_of_ten_gigapixels_is_refused_before_any_memory_is_taken() {
    for (width, height) in [(100_000, 100_000), (60_000, 60_000), (u32::MAX >> 1, 1)] {
        let ReadErrorKind::Unusable { reason } = refused("big.png", &png_header(width, height)) else {
            panic!()
        };
        assert!(reason.contains("too many to be unpacked"), "{reason}");
    }
    let problem = fit_image(&png_header(20_000, 20_000), 1_568, 1_000_000).unwrap_err();
    assert_eq!(problem, ImageProblem::TooManyPixels { width: 20_000, height: 20_000 });
}

#[test]
fn a_picture_cut_off_is_refused_in_every_format() {
    use ImageFormat::{Gif, Jpeg, Png, WebP};
    for format in [Png, Jpeg, Gif, WebP] {
        let bytes = packed(&noise(80, 60), format);
        for part in [bytes.len() / 2, bytes.len() * 9 / 10, 24] {
            let error = refused("cut.img", &bytes[..part]);
            assert!(matches!(error, ReadErrorKind::Unusable { .. }), "{format:?} {part}: {error:?}");
        }
    }
}

#[test]
fn text_with_the_name_of_a_picture_is_text_and_a_decision() {
    for content in ["not a picture\n", "GIF89a is how they begin\n"] {
        let outcome = read_picture("text.png", content.as_bytes());
        assert_eq!(&*text(&outcome).text, content);
        assert_eq!(reasons(&outcome), ["not_an_image"]);
    }
}

#[test]
fn a_picture_of_another_kind_is_named() {
    let outcome =
        read_picture("x.png", b"BM\x3A\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0");
    assert!(matches!(outcome.content, FileContent::Binary(_)));
}

#[test]
fn what_can_not_be_made_small_enough_is_given_up() {
    let problem = fit_image(&png(&noise(300, 300)), 300, 200).unwrap_err();
    assert_eq!(problem, ImageProblem::DoesNotFit);
    let tiny = fit_image(&png(&noise(1, 1)), 300, 20_000).unwrap();
    assert_eq!((tiny.width, tiny.height, tiny.is_rewritten), (1, 1, false));
}

#[test]
fn damaged_bytes_never_panic() {
    let bytes = [
        packed(&noise(20, 20), ImageFormat::Png),
        packed(&noise(20, 20), ImageFormat::Jpeg),
        packed(&noise(20, 20), ImageFormat::Gif),
        packed(&noise(20, 20), ImageFormat::WebP),
    ];
    let mut seed = 7_u32;
    for round in 0..800_usize {
        let mut copy = bytes[round % 4].clone();
        for _ in 0..3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed as usize >> 8) % copy.len();
            copy[at] ^= (seed >> 3) as u8;
        }
        let _either = fit_image(&copy, 10, 100_000);
    }
}

#[test]
fn a_picture_beyond_the_largest_file_is_too_large() {
    let place = Place::new();
    let bytes = png(&noise(60, 60));
    let path = place.write("a.png", &bytes);
    let error = kind_of_error(&limited(ReadLimits::default().file_bytes(1_000)), &whole(path));
    assert_eq!(error, ReadErrorKind::TooLarge { size: bytes.len() as u64 });
}
