//! The table of attachment types.

use context_api::{Attachment, AttachmentRow, Destination};
use serde::Serialize;

use super::{head, row};

/// One row a type, in the order of the code.
pub(super) fn table() -> String {
    let rows = Attachment::TABLE.iter().map(of_type);
    head(&["type", "what it is", "stage", "model", "also", "whose text"]) + &rows.collect::<String>()
}

fn of_type(of: &AttachmentRow) -> String {
    let stage = of.stage.map_or_else(|| "handed in".to_owned(), |stage| word(&stage));
    let implied = [Destination::Model, Destination::Transcript];
    let also: Vec<String> =
        of.destinations.iter().filter(|one| !implied.contains(one)).map(|one| word(&one)).collect();
    let name = format!("`{}`", of.name);
    row(&[&name, of.summary.trim(), &stage, &word(&of.shape), &also.join(", "), &word(&of.trust)])
}

/// A value of an enum as its word in JSON, blanks in the place of underlines.
fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn each_type_has_one_full_row() {
        let table = table();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows.len(), context_api::Attachment::TABLE.len());
        let file = "| `file` | A file that the input names, whole or some lines of it. | input | tool | ui | repository |";
        assert_eq!(rows[0], file);
        let empty =
            |row: &&&str| row.split(" | ").enumerate().any(|(at, cell)| at != 4 && cell.trim().is_empty());
        assert_eq!(rows.iter().filter(empty).count(), 0);
    }
}
