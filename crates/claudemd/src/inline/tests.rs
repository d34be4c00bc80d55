use comrak::nodes::NodeValue;
use proptest::prelude::*;

use super::*;

/// The code spans of one line as comrak sees them, by their texts: its positions are not to be trusted.
fn code_of_comrak(text: &str) -> Vec<String> {
    let arena = comrak::Arena::new();
    let root = comrak::parse_document(&arena, text, &comrak::Options::default());
    let code = root.descendants().filter_map(|node| match &node.data().value {
        NodeValue::Code(code) => Some(code.literal.clone()),
        _ => None,
    });
    code.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn code_spans_are_those_of_comrak(inner in "[`a@ \\\\*é]{0,28}") {
        let text = format!("x{inner}x");
        // Behind a run that nothing closes comrak misses spans, such as the second one in "``a`b`c`d`".
        let outside = crate::parsed::without(&text, &masks(&text, 0..text.len()));
        if outside.replace("\\`", "").contains('`') {
            return Ok(());
        }
        let at_signs = |spans: &[String]| -> Vec<usize> {
            spans.iter().map(|span| span.matches('@').count()).filter(|&count| count > 0).collect()
        };
        let by_us: Vec<String> =
            masks(&text, 0..text.len()).into_iter().map(|range| text[range].to_owned()).collect();
        prop_assert_eq!(at_signs(&by_us), at_signs(&code_of_comrak(&text)), "{:?}", text);
    }

    #[test]
    fn masks_lie_in_order_on_boundaries(text in "[`a@<>!\\-\\[\\]():\"= \n\\\\é]{0,60}") {
        let mut last = 0;
        for mask in masks(&text, 0..text.len()) {
            prop_assert!(last <= mask.start && mask.start < mask.end && mask.end <= text.len());
            prop_assert!(text.is_char_boundary(mask.start) && text.is_char_boundary(mask.end));
            last = mask.end;
        }
    }
}
