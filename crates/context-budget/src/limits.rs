//! The numbers of this crate.

/// What pictures and documents cost where no provider counted them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Pixels of one token. Default 750 (Anthropic, vision: width × height / 750).
    pub pixels_per_token: u64,
    /// Pixels of an image's longest side; larger ones are scaled down before they are counted. Default 1,568 (vision).
    pub image_side: u64,
    /// Tokens of one image at most, and of one whose size nobody knows. Default 1,600 (vision).
    pub image_tokens: u64,
    /// Tokens of a PDF page. Default 3,000, the upper end of what the provider states (PDF support: 1,500 to 3,000).
    pub pdf_page_tokens: u64,
    /// Bytes of a PDF page where the pages can not be seen. Default 50,000: scanned pages have more, text has less.
    pub pdf_page_bytes: u64,
    /// Tokens of the window that are kept for the answer at most. Default 20,000 (compaction).
    pub output_reserve: u64,
    /// Part of the window that is kept for the answer at most: one in so many. Default 4, so that a small window is not all
    /// reserve.
    pub reserve_divisor: u64,
    /// Base64 characters at the beginning of a picture in which its size is looked for. Default 256 Ki: a photograph may have
    /// some 100 KB of other facts in front of it.
    pub header_chars: usize,
    /// The least that a provider's count may be of what was estimated, thousandths. Default 500: less is about another
    /// request.
    pub ratio_least: u64,
    /// The most, thousandths. Default 2,000, for the same reason.
    pub ratio_most: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pixels_per_token: 750,
            image_side: 1_568,
            image_tokens: 1_600,
            pdf_page_tokens: 3_000,
            pdf_page_bytes: 50_000,
            output_reserve: 20_000,
            reserve_divisor: 4,
            header_chars: 256 * 1024,
            ratio_least: 500,
            ratio_most: 2_000,
        }
    }
}

/// When stages act, and on what.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageLimits {
    /// Characters of one tool result before it is put aside. Default 50,000 (compaction). Results of the read tool are
    /// bounded by that tool, and a part of a file put aside could only be read by it again: they count only together.
    pub result_chars: usize,
    /// Characters of all results of one message before the largest are put aside. Default 200,000 (compaction).
    pub message_chars: usize,
    /// Bytes of a result put aside that stay as its beginning. Default 2,000 (compaction).
    pub preview_bytes: usize,
    /// Newest results that microcompact leaves. Default 5 (compaction).
    pub newest_results: usize,
    /// Tokens of results at which microcompact acts. Default 40,000 (compaction).
    pub results_tokens: u64,
    /// Tokens that microcompact has to free to act: the provider's cache is written anew from there on. Default 20,000
    /// (compaction).
    pub freed_tokens: u64,
    /// Seconds without an answer after which the provider's cache is cold anyway. Default 3,600 (the longest life of an
    /// entry of the provider's cache).
    pub cold_seconds: i64,
    /// Tokens that clearing has to free when the cache is cold. Default 2,000: less is not worth a result that the model may
    /// want again.
    pub cold_tokens: u64,
    /// Tokens of repeated files at which the earlier ones become pointers. Default 4,000: each such edit costs the cache.
    pub repeated_tokens: u64,
    /// Percent of the room that has to be taken before runs of calls are folded. Default 60.
    pub collapse_percent: u64,
    /// Calls of a run before it is folded. Default 4.
    pub run_calls: usize,
    /// Answers with calls that are never folded, newest first. Default 10.
    pub newest_answers: usize,
    /// Files that the line of a fold names. Default 8.
    pub named_files: usize,
    /// Further tools whose results microcompact clears, beside those of the embedder's names. Default `WebFetch`,
    /// `WebSearch`.
    pub further_tools: Vec<String>,
    /// Percent of the room that pinned content may take. Default 20.
    pub pinned_percent: u64,
}

impl Default for StageLimits {
    fn default() -> Self {
        Self {
            result_chars: 50_000,
            message_chars: 200_000,
            preview_bytes: 2_000,
            newest_results: 5,
            results_tokens: 40_000,
            freed_tokens: 20_000,
            cold_seconds: 3_600,
            cold_tokens: 2_000,
            repeated_tokens: 4_000,
            collapse_percent: 60,
            run_calls: 4,
            newest_answers: 10,
            named_files: 8,
            further_tools: vec!["WebFetch".to_owned(), "WebSearch".to_owned()],
            pinned_percent: 20,
        }
    }
}

/// Tokens that a request may have: the window less what is kept for an answer of `max_tokens`.
///
/// ```
/// use context_budget::{Limits, room};
/// assert_eq!(room(200_000, 64_000, &Limits::default()), 180_000);
/// assert_eq!(room(8_000, 64_000, &Limits::default()), 6_000);
/// ```
pub fn room(window: u64, max_tokens: u64, limits: &Limits) -> u64 {
    let reserve = max_tokens.min(limits.output_reserve).min(window / limits.reserve_divisor.max(1));
    window.saturating_sub(reserve)
}

/// When a history is summarised, and what stays or comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionLimits {
    /// Percent of the room at which a summary is made by itself. Default 80 (compaction).
    pub trigger_percent: u64,
    /// Tokens that have to be left of the room instead, where set. Default none.
    pub trigger_buffer: Option<u64>,
    /// Percent of the room that a compaction has to get below. Default 60: the distance to the trigger keeps it from running
    /// again at once.
    pub target_percent: u64,
    /// Tokens of the newest messages that stay at least. Default 10,000 (compaction).
    pub kept_least: u64,
    /// Messages with text that stay at least. Default 5 (compaction).
    pub kept_messages: usize,
    /// Tokens of the newest messages that stay at most. Default 40,000 (compaction).
    pub kept_most: u64,
    /// Part of the room that may be kept: one in so many. Default 4, so that a small window is not all kept messages.
    pub kept_divisor: u64,
    /// Part of what may be kept that is kept at least, where that is less than [`CompactionLimits::kept_least`]: one in so
    /// many. Default 4, as far as 10,000 is of 40,000.
    pub least_divisor: u64,
    /// Files that come back. Default 5 (compaction).
    pub files: usize,
    /// Tokens of all files that come back. Default 50,000 (compaction).
    pub files_tokens: u64,
    /// Tokens of one such file; a larger one comes back by name. Default 5,000 (compaction).
    pub file_tokens: u64,
    /// Part of the room that files may take when they come back: one in so many. Default 4.
    pub restored_divisor: u64,
    /// Tokens of a summary at most. Default 20,000 (what is kept for an answer).
    pub summary_most: u64,
    /// Tokens without which no summary is worth asking for. Default 500.
    pub summary_least: u64,
    /// Tokens that a summary and what comes back behind it may have together where less than that goes out of view, and where
    /// somebody asked for it. Default 2,000. One that is made by itself never has more than what it replaces.
    pub asked_least: u64,
    /// Part of the room that a summary may have: one in so many. Default 8.
    pub summary_divisor: u64,
    /// Words that a summarizer is asked for, percent of the tokens that it may use. Default 50: models write more than they
    /// are asked for, and other languages than English take more tokens a word.
    pub words_percent: u64,
    /// A summary with more than so many times its tokens is a failure. Default 2.
    pub summary_excess: u64,
    /// Failures in a row after which no summary is asked for by itself any more. Default 3 (compaction).
    pub failures: u32,
    /// Further tries where the history to summarise is itself too long. Default 3 (compaction).
    pub retries: u32,
    /// Percent of the history that each further try leaves out. Default 25, so that the last one has less than half.
    pub retry_percent: u64,
}

impl Default for CompactionLimits {
    fn default() -> Self {
        Self {
            trigger_percent: 80,
            trigger_buffer: None,
            target_percent: 60,
            kept_least: 10_000,
            kept_messages: 5,
            kept_most: 40_000,
            kept_divisor: 4,
            least_divisor: 4,
            files: 5,
            files_tokens: 50_000,
            file_tokens: 5_000,
            restored_divisor: 4,
            summary_most: 20_000,
            summary_least: 500,
            asked_least: 2_000,
            summary_divisor: 8,
            words_percent: 50,
            summary_excess: 2,
            failures: 3,
            retries: 3,
            retry_percent: 25,
        }
    }
}

impl CompactionLimits {
    /// Tokens at which a summary is made by itself.
    pub fn trigger(&self, room: u64) -> u64 {
        self.trigger_buffer.map_or(room * self.trigger_percent / 100, |buffer| room.saturating_sub(buffer))
    }

    /// Tokens that a compaction has to get below; never over the trigger.
    pub fn target(&self, room: u64) -> u64 {
        (room * self.target_percent / 100).min(self.trigger(room))
    }

    /// Tokens that a summary may have.
    pub fn summary(&self, room: u64) -> u64 {
        (room / self.summary_divisor.max(1)).clamp(1, self.summary_most.max(1))
    }
}
