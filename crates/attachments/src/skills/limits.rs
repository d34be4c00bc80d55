//! Limits of skills.

/// Limits of skills.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillLimits {
    /// Part of the window that one listing may take, percent. Default 1.
    pub window_percent: u64,
    /// Characters of a listing that are about one token. Default 4.
    pub chars_per_token: u64,
    /// Characters of what is said of one skill. Default 1,536.
    pub entry_chars: usize,
    /// Fewest characters worth showing of a text that is shortened; with less room the name stands alone. Default 40.
    pub least_chars: usize,
    /// Skills of a listing that is filtered to the input. Default 30.
    pub filtered: usize,
    /// Skills that are named as fitting the input. Default 5.
    pub discovered: usize,
    /// Skills of one folder. Default 1,000.
    pub folder_skills: usize,
    /// Directories of touched paths that are looked at in one turn. Default 200.
    pub touched_directories: usize,
    /// Bytes of a skill's file that are read to learn its name and description. Default 64 KiB.
    pub head_bytes: u64,
    /// Bytes of a skill's file that is read whole. Default 1 MiB.
    pub text_bytes: u64,
    /// Characters of a skill's name. Default 64.
    pub name_chars: usize,
    /// Heads of skills that are kept in memory for all sessions of an engine. Default 4,096.
    pub kept_heads: usize,
    /// Tokens of one skill that is told again after a compaction. Default 5,000.
    pub invoked_tokens: u64,
    /// Tokens of all of them together. Default 25,000.
    pub invoked_total_tokens: u64,
    /// Part of the window that they may take together, percent. Default 15, so that a small window is not all skills.
    pub invoked_percent: u64,
    /// Tokens below which the rest of that room is left empty: a few lines of a skill would only mislead. Default 500.
    pub invoked_least_tokens: u64,
}

impl SkillLimits {
    /// Characters that a listing may take in a window of so many tokens.
    pub fn listing_chars(&self, window: u64) -> usize {
        let chars = window.saturating_mul(self.window_percent) / 100 * self.chars_per_token;
        usize::try_from(chars).unwrap_or(usize::MAX)
    }

    /// Tokens that all skills that are told again may take in a window of so many.
    pub fn invoked_room(&self, window: u64) -> u64 {
        self.invoked_total_tokens.min(window.saturating_mul(self.invoked_percent) / 100)
    }
}

impl Default for SkillLimits {
    fn default() -> Self {
        Self {
            window_percent: 1,
            chars_per_token: 4,
            entry_chars: 1_536,
            least_chars: 40,
            filtered: 30,
            discovered: 5,
            folder_skills: 1_000,
            touched_directories: 200,
            head_bytes: 64 * 1024,
            text_bytes: 1024 * 1024,
            name_chars: 64,
            kept_heads: 4_096,
            invoked_tokens: 5_000,
            invoked_total_tokens: 25_000,
            invoked_percent: 15,
            invoked_least_tokens: 500,
        }
    }
}
