//! The JSON schemas in `docs/schemas`, made from the types that read and write.

use anyhow::{Context as _, Result, bail};

use crate::Shell;

/// Where they lie, from the root.
const FOLDER: &str = "docs/schemas";

/// Writes each schema anew, or, with `check`, fails when one is not what it would become.
///
/// # Errors
/// A file can not be written, or a schema is stale.
pub(crate) fn gen_schemas(shell: &Shell, check: bool) -> Result<()> {
    let schemas = ctx::schemas();
    let folder = shell.root().join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut stale = Vec::new();
    for (name, schema) in &schemas {
        let path = folder.join(format!("{name}.schema.json"));
        let after = format!("{}\n", serde_json::to_string_pretty(schema)?);
        if std::fs::read_to_string(&path).is_ok_and(|before| before == after) {
            continue;
        }
        stale.push(*name);
        if !check {
            std::fs::write(&path, after).with_context(|| path.display().to_string())?;
        }
    }
    match stale.as_slice() {
        [] => println!("{} schemas are up to date", schemas.len()),
        _ if check => bail!("stale in {FOLDER}: {}; run `cargo xtask gen-docs`", stale.join(", ")),
        _ => println!("written to {FOLDER}: {}", stale.join(", ")),
    }
    Ok(())
}
