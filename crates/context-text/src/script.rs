//! Scripts.

/// Whether a character is of a script that sets no space between its words: Thai, kana, Han.
///
/// ```
/// assert!(context_text::is_unspaced('語') && !context_text::is_unspaced('한') && !context_text::is_unspaced('w'));
/// ```
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}
