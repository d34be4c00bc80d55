//! Pure text functions that several parts of the context engine share.
//!
//! Bytes become text in [`decode()`]; text is shown to a model by [`numbered`] and nothing else; names that a
//! person or a file points at are found by [`at_tokens`]; [`RuleSet`] says which rules hold for a path;
//! [`neutralise()`] keeps foreign text from posing as the engine's own; [`estimate_tokens`] says what it all costs.
//! Nothing here does I/O, and the same input gives the same output in every process.
//!
//! ```
//! let decoded = context_text::decode(b"\xEF\xBB\xBFlet a = 1;\r\nlet b = 2;\r\n");
//! assert_eq!(context_text::numbered(&decoded.text, 1), "1\tlet a = 1;\n2\tlet b = 2;");
//!
//! let prompt = "why does @src/main.rs#L10-20, fail?";
//! let token = &context_text::at_tokens(prompt)[0];
//! let names = context_text::candidates(&token.target);
//! let (path, range) = context_text::split_selection(names[1]);
//! assert_eq!((path, range.map(|r| r.start)), ("src/main.rs", Some(10)));
//! ```

mod decode;
mod number;

mod cut;
mod estimate;

mod code;
mod mention;
mod script;
mod selection;

#[cfg(feature = "frontmatter")]
mod frontmatter;
mod glob;

mod display;
mod json;
mod neutralise;

mod hash;

pub use code::code_ranges;
pub use cut::{cut_bytes, cut_chars, cut_lines, floor_char, head_lines};
pub use decode::{Decoded, LineEnds, decode, decode_guess, is_binary, line_ends};
pub use display::{display_path, safe_line};
pub use estimate::{Densities, estimate_tokens};
#[cfg(feature = "frontmatter")]
pub use frontmatter::{
    Field, Frontmatter, Patterns, parse_frontmatter, path_patterns, split_frontmatter, split_patterns,
};
pub use glob::{GlobProblem, PathGlobs, RuleGlobs, RuleSet, TooMany, brace_expand};
pub use hash::content_hash;
pub use json::repair_surrogates;
pub use mention::{AtToken, at_tokens, candidates};
pub use neutralise::{neutralise, neutralise_tags_only};
pub use number::{line_count, lines, numbered, parse_numbered};
pub use script::is_unspaced;
pub use selection::{LineRange, split_fragment, split_selection};
