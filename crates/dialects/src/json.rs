//! Writing JSON straight into bytes, in the order in which it is asked for.

/// Bytes of JSON under construction.
#[derive(Debug, Default)]
pub(crate) struct Out {
    bytes: Vec<u8>,
}

/// The fields of an object under construction.
pub(crate) struct Fields<'a> {
    out: &'a mut Out,
    first: bool,
}

impl Out {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes written so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// What was written since there were `start` bytes.
    pub(crate) fn written_since(&self, start: usize) -> &[u8] {
        &self.bytes[start..]
    }

    /// Bytes that are JSON already.
    pub(crate) fn bytes(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    /// Text that is JSON already.
    pub(crate) fn raw(&mut self, json: &str) {
        self.bytes.extend_from_slice(json.as_bytes());
    }

    pub(crate) fn object(&mut self, write: impl FnOnce(&mut Fields<'_>)) {
        self.bytes.push(b'{');
        write(&mut Fields { out: self, first: true });
        self.bytes.push(b'}');
    }

    pub(crate) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.bytes.push(b'[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.bytes.push(b',');
            }
            each(self, item);
        }
        self.bytes.push(b']');
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.strings(&[text]);
    }

    /// Several texts as one string.
    pub(crate) fn strings(&mut self, texts: &[&str]) {
        self.bytes.push(b'"');
        for text in texts {
            self.inside(text.as_bytes());
        }
        self.bytes.push(b'"');
    }

    fn inside(&mut self, bytes: &[u8]) {
        let mut copied = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if ESCAPED[byte as usize] {
                self.bytes.extend_from_slice(&bytes[copied..at]);
                self.escape(byte);
                copied = at + 1;
            }
        }
        self.bytes.extend_from_slice(&bytes[copied..]);
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' => b'"',
            b'\\' => b'\\',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0C => b'f',
            _ => {
                let digit = |value: u8| b"0123456789abcdef"[usize::from(value & 0xF)];
                self.bytes.extend_from_slice(b"\\u00");
                self.bytes.extend_from_slice(&[digit(byte >> 4), digit(byte)]);
                return;
            }
        };
        self.bytes.extend_from_slice(&[b'\\', short]);
    }
}

impl Fields<'_> {
    /// Writes the name of a field; its value is written next.
    pub(crate) fn field(&mut self, name: &str) -> &mut Out {
        if !std::mem::take(&mut self.first) {
            self.out.bytes.push(b',');
        }
        self.out.string(name);
        self.out.bytes.push(b':');
        self.out
    }

    pub(crate) fn string(&mut self, name: &str, text: &str) {
        self.field(name).string(text);
    }

    pub(crate) fn raw(&mut self, name: &str, json: &str) {
        self.field(name).raw(json);
    }

    pub(crate) fn number(&mut self, name: &str, value: u64) {
        self.field(name).raw(&value.to_string());
    }

    pub(crate) fn object(&mut self, name: &str, write: impl FnOnce(&mut Fields<'_>)) {
        self.field(name).object(write);
    }

    pub(crate) fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        each: impl FnMut(&mut Out, T),
    ) {
        self.field(name).list(items, each);
    }
}

/// Bytes that may not stand in a JSON string as they are.
const ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut Out)) -> String {
        let mut out = Out::default();
        write(&mut out);
        String::from_utf8(out.into_bytes()).unwrap()
    }

    #[test]
    fn fields_and_items_are_separated_and_keep_their_order() {
        let json = written(|out| {
            out.object(|fields| {
                fields.string("b", "x\"y");
                fields.number("a", 7);
                fields.list("c", [1, 2], |out, item| out.raw(&item.to_string()));
                fields.object("d", |_| ());
                fields.raw("e", "{ }");
            });
        });
        assert_eq!(json, r#"{"b":"x\"y","a":7,"c":[1,2],"d":{},"e":{ }}"#);
    }

    proptest! {
        #[test]
        fn strings_are_written_as_serde_json_writes_them(text in any::<String>(), low in prop::collection::vec(0u8..0x30, 0..20)) {
            let text = text + &String::from_utf8(low).unwrap();
            prop_assert_eq!(written(|out| out.string(&text)), serde_json::to_string(&text).unwrap());
        }
    }
}
