//! A name for content.

/// Bytes of the digest that are kept: 128 bits, enough that no two files of a session ever share a name.
const DIGEST_BYTES: usize = 16;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The first 128 bits of the SHA-256 of `bytes`, as 32 lower-case hexadecimal digits. The same on every platform and
/// in every version, so that it may be stored.
pub fn content_hash(bytes: &[u8]) -> String {
    let digest = hmac_sha256::Hash::hash(bytes);
    let nibbles = digest.iter().take(DIGEST_BYTES).flat_map(|byte| [byte >> 4, byte & 15]);
    // Many small files are hashed in a row; formatting took as long as hashing.
    let mut out = String::with_capacity(DIGEST_BYTES * 2);
    out.extend(nibbles.map(|nibble| char::from(HEX[usize::from(nibble)])));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(content_hash(b""), "e3b0c44298fc1c149afbf4c8996fb924");
        assert_eq!(content_hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223");
    }
}
