//! How often lists and plans are recalled.

/// How often lists and plans are recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListLimits {
    /// Assistant messages since the model last wrote a list, before it is reminded. Default 10.
    pub idle: u64,
    /// Assistant messages between two reminders of a list. Default 10.
    pub every: u64,
    /// Assistant messages since a plan was carried out, and between two reminders to check it. Default 10.
    pub verify_every: u64,
}

impl Default for ListLimits {
    fn default() -> Self {
        Self { idle: 10, every: 10, verify_every: 10 }
    }
}
