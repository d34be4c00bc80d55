//! Trees as large public repositories keep them: what loads, what waits, and the text as the model gets it.

use context_api::MemoryLoader;
use context_testkit::Place;

use crate::support::*;

/// The start, the account of what a path brings, and the rendered text.
fn report(place: &Place, cwd: &str, path: &str) -> String {
    let loader = loader(options(place).survey(true));
    let scope = scope(place.path(cwd));
    let start = loader.load(&scope).unwrap();
    let nested = loader.load_for_path(&scope, &place.path(path)).unwrap();
    format!(
        "## at the start\n{}\n\n## for {path}\n{}\n\n## as the model gets it\n{}\n",
        account(place, &start),
        account(place, &nested),
        hidden(place, &loader.render(&start.files))
    )
}

#[test]
fn a_monorepo_with_rules_of_its_parts() {
    let place = Place::new();
    place.run("git", &["init", "-q", "-b", "main"]);
    place.write(
        "CLAUDE.md",
        "# Storefront\n\nOne repository, three parts.\n\n<!-- keep this file under 100 lines -->\n\n- Build with `pnpm build`, see @docs/building.md.\n- Style: @docs/style.md (applies to all parts)\n- Owners are in @CODEOWNERS; ask @platform-team in the chat.\n",
    );
    place.write("docs/building.md", "Run `pnpm install` first. Release steps: @./release.md\n");
    place.write("docs/release.md", "Tag, then wait for the pipeline.\n");
    place.write("docs/style.md", "Two blanks, no semicolons.\n");
    place.write("CODEOWNERS", "* @platform-team\n/apps/web @web-team\n");
    place.write(".claude/rules/commits.md", "Write commits in the imperative.\n");
    place.write(
        ".claude/rules/frontend/react.md",
        "---\npaths:\n  - \"apps/web/**/*.{ts,tsx}\"\n  - \"packages/ui/**\"\n---\n\nNo class components.\n",
    );
    place.write(
        ".claude/rules/backend/sql.md",
        "---\npaths: services/**/*.sql, **/migrations/**\n---\nNever drop a column.\n",
    );
    place.write("apps/web/CLAUDE.md", "The shop. Port 3000.\n");
    place.write("apps/web/.claude/rules/routing.md", "---\npaths: src/routes/**\n---\nRoutes are lazy.\n");
    place.write("apps/web/src/routes/home.tsx", "export default 1\n");
    place.write("services/orders/CLAUDE.md", "Go 1.24. @README.md\n");
    place.write("services/orders/README.md", "Orders.\n");
    place.write("CLAUDE.local.md", "My sandbox is at http://localhost:8080.\n");
    insta::assert_snapshot!(report(&place, "", "apps/web/src/routes/home.tsx"));
}

#[test]
fn agents_files_with_links_by_the_other_name() {
    let place = Place::new();
    place.run("git", &["init", "-q", "-b", "main"]);
    place.write(
        "AGENTS.md",
        "# Guide for agents\n\n| task | command |\n|---|---|\n| test | `make test` |\n| one test | `make test T=@name` |\n\nMore in @docs/architecture.md.\n",
    );
    place.link("CLAUDE.md", "AGENTS.md");
    place.link("GEMINI.md", "AGENTS.md");
    place.write("docs/architecture.md", "A core and plugins.\n");
    place.write(".github/copilot-instructions.md", "See AGENTS.md.\n");
    place.write(".cursor/rules/core.mdc", "---\nalwaysApply: true\n---\nSee AGENTS.md.\n");
    place.write("plugins/auth/AGENTS.md", "Tokens are never logged.\n");
    place.link("plugins/auth/CLAUDE.md", "AGENTS.md");
    place.write("plugins/mail/AGENTS.md", "No link here.\n");
    insta::assert_snapshot!(report(&place, "", "plugins/auth/token.rs"));
}

#[test]
fn rules_that_repositories_share_by_links() {
    let place = Place::new();
    place.run("git", &["init", "-q", "-b", "main"]);
    place.write("{out}/standards/rules/security.md", "Validate input at the border.\n");
    place.write(
        "{out}/standards/rules/lang/rust.md",
        "---\npaths: '*.rs'\n---\nNo unwrap outside tests. @../lints.md\n",
    );
    place.write("{out}/standards/rules/lints.md", "Deny warnings.\n");
    place.link(".claude/rules/shared", "{out}/standards/rules");
    place.write(".claude/rules/own.md", "Own rule.\n");
    place.link(".claude/rules/also-security.md", "shared/security.md");
    place.write("{home}/.claude/CLAUDE.md", "Answer in English.\n");
    place.link("{home}/.claude/rules", "{out}/standards/rules");
    place.write("{managed}/CLAUDE.md", "Do not touch production.\n");
    place.write(
        "CLAUDE.md",
        "A service. Policy: @{out}/policy.md\n".replace("{out}", place.out().to_str().unwrap()),
    );
    place.write("{out}/policy.md", "Outside.\n");
    place.write("src/main.rs", "fn main() {}\n");
    insta::assert_snapshot!(report(&place, "", "src/main.rs"));
}
