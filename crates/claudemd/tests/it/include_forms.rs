//! `@` forms in the contexts of Markdown: one line a case.

use context_testkit::Place;

use crate::support::*;

/// The text of a memory file, and the files it includes (without `.md`), in order.
const FORMS: &[(&str, &str)] = &[
    // plain
    ("@a.md", "a"),
    ("x\n@a.md\ny", "a"),
    ("see @a.md and @b.md", "a b"),
    ("see\t@a.md", "a"),
    ("@a.md@b.md", ""),
    ("mail x@a.md", ""),
    ("@./a.md @sub/c.md @./sub/../b.md", "a c b"),
    ("@sub/c.md#part", "c"),
    ("@c#sharp.md", "c#sharp"),
    ("@a.md, @b.md; @sub/c.md.", "a b c"),
    ("(@a.md) [@b.md] {@sub/c.md}", "a b c"),
    ("(see @a.md)", "a"),
    ("@a.md(the first)", "a"),
    ("\"@a.md\" '@b.md' “@a.md”", ""),
    ("\\@a.md", ""),
    (r"@with\ blank.md", "with blank"),
    ("@\"with blank.md\"", "with blank"),
    ("@'with blank.md', @a.md", "with blank a"),
    ("@\"open.md\n@a.md", "a"),
    ("读 @a.md，然后（@b.md）。", "a b"),
    ("@A.MD @missing.md @a", ""),
    ("@@a.md", ""),
    ("@", ""),
    ("@ a.md", ""),
    // code
    ("`@a.md` @b.md", "b"),
    ("`` @a.md ` @b.md `` @sub/c.md", "c"),
    ("`not closed @a.md", "a"),
    ("`x`@a.md", ""),
    ("`two\nlines @a.md` @b.md", "b"),
    ("\\`@a.md @b.md`", "b"),
    ("```\n@a.md\n```\n@b.md", "b"),
    ("~~~ts\n@a.md\n~~~\n@b.md", "b"),
    ("````\n```\n@a.md\n```\n````\n@b.md", "b"),
    ("```\n@a.md never closed", ""),
    ("- x\n  ```\n  @a.md\n  ```\n- @b.md", "b"),
    ("> ```\n> @a.md\n> ```\n> @b.md", "b"),
    ("    @a.md\n\n@b.md", "b"),
    ("- x\n\n      @a.md\n\n  @b.md", "b"),
    ("\t@a.md\n", ""),
    ("日本語の説明 `@a.md` と @b.md", "b"),
    // tables
    ("| k | v |\n|---|---|\n| `@a.md` | @b.md |", "b"),
    ("| k | v |\n|---|---|\n| a\\|b\\|c\\|d\\|e\\|f\\|g\\|h `@a.md` | \\* `@b.md` @sub/c.md |", "c"),
    ("| @a.md | `x\\|@b.md` |\n|---|---|\n| @b.md<br>@sub/c.md | y |", "a b c"),
    ("|k|v|\n|-|-|\n|@a.md|@b.md|", "a b"),
    ("> | k |\n> |---|\n> | `@a.md` @b.md |", "b"),
    ("| `a | b` |\n|---|---|\n| `@a.md | @b.md` |", "b"),
    // emphasis
    ("**@a.md** and *@b.md*", "a b"),
    ("__@a.md__: first. _@b.md_", "a b"),
    ("**see @a.md** *and @b.md*.", "a b"),
    ("***@a.md***", "a"),
    ("~~@a.md~~ @b.md", "b"),
    ("@src/__tests__/d.md", "d"),
    ("x*@a.md*", ""),
    // headings, lists, quotes
    ("# @a.md\n## See @b.md\n", "a b"),
    ("@a.md\n=====\n", "a"),
    ("- @a.md\n  - @b.md\n1. @sub/c.md\n", "a b c"),
    ("- [ ] @a.md\n- [x] done @b.md\n", "a b"),
    ("> @a.md\n>@b.md\nlazy @sub/c.md\n", "a b c"),
    // links
    ("[x](@a.md) @b.md", "b"),
    ("[@a.md](x.md) ![@b.md](y.png)", "a b"),
    ("[x](<@a.md> \"t\") [y]( @b.md ) @sub/c.md", "c"),
    ("[ref]: @a.md\n\n@b.md", "b"),
    ("[x][@a.md] [y] (@b.md)", "a b"),
    // autolinks and HTML
    ("<https://x.org/@a.md> <me@a.md> @b.md", "b"),
    ("https://x.org/@a.md", ""),
    ("<a href=\"@a.md\"> @b.md</a>", "b"),
    ("text <!-- @a.md --> @b.md", "b"),
    ("<!-- @a.md -->\n@b.md", "b"),
    ("<!-- @a.md\n\n@b.md -->\n@sub/c.md", "c"),
    ("<!-- x --> @a.md", "a"),
    ("<!-- never closed\n@a.md\n", ""),
    ("<details>\n@a.md\n</details>\n", "a"),
    ("<details>\n\n@a.md\n\n</details>\n", "a"),
    ("<pre>\n@a.md\n</pre>\n@b.md", "b"),
    ("<script>\n@a.md\n</script>\n@b.md", "b"),
    ("a < b @a.md > c", "a"),
    // frontmatter and line ends
    ("---\ntitle: @a.md\n---\n@b.md", "b"),
    ("@a.md\r\n`@b.md`\r\n@sub/c.md\r\n", "a c"),
    ("x\n\n---\n@a.md\n", "a"),
];

#[test]
fn a_name_counts_where_markdown_has_text() {
    let place = Place::new();
    for name in ["a.md", "b.md", "sub/c.md", "c#sharp.md", "with blank.md", "src/__tests__/d.md", "open.md"] {
        place.write(name, "x\n");
    }
    let mut wrong = Vec::new();
    for (text, expected) in FORMS {
        place.write("CLAUDE.md", text);
        let load = load_proj(&place);
        let names: Vec<_> = load.files[1..]
            .iter()
            .map(|file| file.path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        let joined = names.join(" ");
        if joined != *expected {
            wrong.push(format!("{text:?}: {joined:?}, not {expected:?}"));
        }
    }
    assert!(FORMS.len() >= 60);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), FORMS.len(), wrong.join("\n"));
}
