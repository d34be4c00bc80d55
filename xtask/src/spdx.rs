//! Licence expressions: just enough of SPDX to say whether an allowed licence can be chosen.

/// Whether some choice that `expression` leaves consists of allowed licences only. `/` is read as `OR`, as old
/// manifests mean it. An expression that can not be read is not allowed.
pub(crate) fn allows(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let verdict = either(&mut words, allowed);
    verdict == Some(true) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut verdict = both(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        verdict |= both(words, allowed)?;
    }
    Some(verdict)
}

fn both(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut verdict = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        verdict &= one(words, allowed)?;
    }
    Some(verdict)
}

fn one(words: &mut Words<'_>, allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let word = words.next()?;
    if word == "(" {
        let verdict = either(words, allowed)?;
        return (words.next() == Some(")")).then_some(verdict);
    }
    if matches!(word, "AND" | "OR" | "WITH" | ")") {
        return None;
    }
    let with = words.next_if_eq(&"WITH").and_then(|_| words.next());
    Some(match with {
        Some(exception) => allowed(&format!("{word} WITH {exception}")),
        None => allowed(word),
    })
}

#[cfg(test)]
mod tests {
    use super::allows;

    #[test]
    fn a_choice_of_allowed_licences_is_found_or_not() {
        let cases = [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR GPL-3.0) AND Zlib", true),
            ("MIT OR Zlib AND GPL-3.0", true),
            ("(MIT OR Zlib) AND GPL-3.0", false),
            ("Zlib WITH exception", false),
            ("", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT)", false),
            ("MIT Zlib", false),
        ];
        for (expression, expected) in cases {
            let allowed = |licence: &str| matches!(licence, "MIT" | "Zlib");
            assert_eq!(allows(expression, &allowed), expected, "{expression}");
        }
    }
}
