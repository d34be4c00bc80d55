//! What texts and pictures cost.

use context_api::TokenCounter;
use context_budget::EstimateCounter;

fn text(text: &str) -> u64 {
    EstimateCounter::default().text(text)
}

#[test]
fn scripts_without_blanks_and_emoji_are_not_counted_as_latin() {
    let sentence = "这是一个用于测试的中文句子";
    let chars = sentence.chars().count() as u64 * 100;
    assert!(text(&sentence.repeat(100)) * 10 >= chars * 6, "{}", text(&sentence.repeat(100)));
    assert!(text(&"🔥".repeat(300)) >= 300);
    assert!((160..=650).contains(&text(&"x".repeat(1_300))), "{}", text(&"x".repeat(1_300)));
    assert_eq!(text(""), 0);
}

#[test]
fn pictures_cost_by_their_pixels_up_to_what_they_are_scaled_to() {
    let image = |width, height| EstimateCounter::default().image(width, height);
    assert_eq!(image(1, 1), 1);
    assert_eq!(image(1000, 750), 1000);
    assert_eq!(image(6000, 4000), 1600, "scaled down before it is seen");
    assert_eq!(image(40, 9000), 13, "6 × 1568 pixels");
    assert_eq!(image(0, 0), 1);
    assert_eq!(image(u32::MAX, u32::MAX), 1600);
}

#[test]
fn works_as_a_trait_object() {
    struct Bytes;
    impl TokenCounter for Bytes {
        fn text(&self, text: &str) -> u64 {
            text.len() as u64
        }
        fn image(&self, _: u32, _: u32) -> u64 {
            1
        }
    }
    let counters: [Box<dyn TokenCounter>; 2] = [Box::new(Bytes), Box::new(EstimateCounter::default())];
    assert_eq!(counters[0].text("four"), 4);
    assert!(counters[1].text("four") < 4);
}
