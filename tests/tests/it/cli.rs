//! The command line: what each command prints, in text and as JSON, and how it ends.

mod build;
mod context;
mod hostile;
mod looks;
mod page;
mod sessions;
mod usage;

use context_testkit::Place;

/// A project with memory, a repository and some files.
fn project() -> Place {
    let place = Place::new();
    place.write("CLAUDE.md", "Use tabs. @docs/style.md @missing.md\n");
    place.write("docs/style.md", "STYLE-TEXT\n");
    place.write("CLAUDE.local.md", "<!-- nothing -->\n");
    place.write("{home}/.claude/CLAUDE.md", "OWN-TEXT\n");
    place.write(".claude/rules/rs.md", "---\npaths: \"*.rs\"\n---\nRUST-RULE\n");
    place.write("pkg/CLAUDE.md", "PKG-TEXT @../../out/far.md\n");
    place.write("{out}/far.md", "FAR-TEXT\n");
    place.write("pkg/a.rs", "fn a() {}\n");
    place.write(".gitignore", "*.log\n");
    place.run("git", &["init", "-q", "-b", "main"]);
    place.run("git", &["config", "user.name", "Somebody"]);
    place.run("git", &["add", "-A"]);
    place.run("git", &["commit", "-qm", "First words"]);
    place.write("new.txt", "x\n");
    place
}
