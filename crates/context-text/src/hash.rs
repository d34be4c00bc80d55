//! A name for content.

/// Bytes of the digest that are kept: 128 bits, enough that no two files of a session ever share a name.
const DIGEST_BYTES: usize = 16;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The first 128 bits of the SHA-256 of `bytes`, as 32 lower-case hexadecimal digits. The same on every platform and
/// in every version, so that it may be stored.
pub fn content_hash(bytes: &[u8]) -> String {
    let digest = sha256(bytes);
    let nibbles = digest.iter().take(DIGEST_BYTES).flat_map(|byte| [byte >> 4, byte & 15]);
    // Many small files are hashed in a row; formatting took as long as hashing.
    let mut out = String::with_capacity(DIGEST_BYTES * 2);
    out.extend(nibbles.map(|nibble| char::from(HEX[usize::from(nibble)])));
    out
}

#[cfg(feature = "fast-hash")]
fn sha256(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).into()
}

#[cfg(not(feature = "fast-hash"))]
fn sha256(bytes: &[u8]) -> [u8; 32] {
    hmac_sha256::Hash::hash(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(content_hash(b""), "e3b0c44298fc1c149afbf4c8996fb924");
        assert_eq!(content_hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223");
    }

    #[test]
    fn both_ways_of_hashing_agree() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1_000).collect();
        for len in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000] {
            assert_eq!(sha256(&bytes[..len]), hmac_sha256::Hash::hash(&bytes[..len]), "{len} bytes");
        }
    }
}
