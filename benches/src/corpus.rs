//! Texts of many kinds, written for this house.

use std::io;
use std::path::Path;

/// One text of the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Its kind: the directory it lies in.
    pub kind: String,
    /// The name of its file.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts of `benches/corpus`, in the order of their paths.
///
/// # Errors
/// A file can not be read.
pub fn corpus() -> io::Result<Vec<Sample>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut samples = Vec::new();
    for kind in names(&root)?.into_iter().filter(|kind| root.join(kind).is_dir()) {
        for name in names(&root.join(&kind))? {
            let text = std::fs::read_to_string(root.join(&kind).join(&name))?;
            samples.push(Sample { kind: kind.clone(), name, text });
        }
    }
    Ok(samples)
}

fn names(directory: &Path) -> io::Result<Vec<String>> {
    let entries = std::fs::read_dir(directory)?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}
