//! Prints the JSON schemas as one object: each name with its schema. `cargo xtask gen-docs` writes them to `docs/schemas`.
#![expect(clippy::print_stdout, reason = "a program prints what it made")]

fn main() {
    let schemas: serde_json::Map<_, _> =
        ctx::schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    println!("{}", serde_json::Value::Object(schemas));
}
