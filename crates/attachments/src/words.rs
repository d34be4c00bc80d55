//! The words of a text, as far as they say what it is about.

use context_text::is_unspaced;

/// Words that say nothing of a task.
const COMMON: [&str; 66] = [
    "about", "after", "also", "am", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "did",
    "do", "does", "for", "from", "has", "have", "he", "how", "if", "in", "into", "is", "it", "its", "me",
    "my", "no", "not", "now", "of", "on", "or", "our", "out", "please", "should", "so", "than", "that",
    "the", "them", "then", "there", "this", "to", "up", "us", "use", "was", "we", "what", "when", "where",
    "which", "why", "will", "with", "would", "you", "your", "yours",
];
/// Letters of the shortest word that counts.
const SHORTEST: usize = 2;
/// Letters of the shortest word whose ending is taken off.
const SHORTEST_PLURAL: usize = 4;

/// The words of a text in order, in small letters, without those that say nothing. Of a script without spaces, each two
/// characters that stand side by side are one.
pub(crate) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut words = Vec::new();
    for run in lower.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        of_run(run, &mut words);
    }
    words
}

/// Letters and digits in a row, which may change the script.
fn of_run(run: &str, words: &mut Vec<String>) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|c| is_unspaced(c) != unspaced).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        if unspaced {
            pairs(piece, words)
        } else {
            word(piece, words)
        }
        rest = behind;
    }
}

fn word(word: &str, words: &mut Vec<String>) {
    let letters = word.chars().count();
    if letters < SHORTEST || COMMON.contains(&word) {
        return;
    }
    let is_plural = letters >= SHORTEST_PLURAL && word.ends_with('s') && !word.ends_with("ss");
    words.push(if is_plural { word[..word.len() - 1].to_owned() } else { word.to_owned() });
}

fn pairs(piece: &str, words: &mut Vec<String>) {
    let mut before: Option<char> = None;
    for c in piece.chars() {
        words.extend(before.map(|before| String::from_iter([before, c])));
        before = Some(c);
    }
    if piece.chars().nth(1).is_none() {
        words.push(piece.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_small_plain_and_of_all_scripts() {
        assert_eq!(words("How do we Deploy the servers?"), ["deploy", "server"]);
        assert_eq!(words("DB2: class-files, CSS"), ["db2", "class", "file", "css"]);
        assert_eq!(words("部署到服务器"), ["部署", "署到", "到服", "服务", "务器"]);
        assert_eq!(words("看 main分支"), ["看", "main", "分支"]);
        assert_eq!(words("ÉTÉ straße"), ["été", "straße"]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn common_words_are_common_in_small_letters() {
        assert!(COMMON.iter().all(|word| word.chars().all(|c| c.is_ascii_lowercase())));
    }
}
