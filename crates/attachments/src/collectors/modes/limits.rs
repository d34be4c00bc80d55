//! How often modes are told.

/// How often modes are told.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModeLimits {
    /// Assistant messages between two notes of a mode that is on. Default 5.
    pub every: u64,
    /// Every how many notes the text is told in full, the first one at entry included. Default 5.
    pub full_every: u64,
}

impl Default for ModeLimits {
    fn default() -> Self {
        Self { every: 5, full_every: 5 }
    }
}
