//! How much is read, and how much of it is shown.

/// Declares limits with a setter for each.
macro_rules! limits {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$fmeta:meta])* pub $field:ident: $ty:ty = $value:expr,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name { $($(#[$fmeta])* pub $field: $ty,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }

        impl $name {
            $(
                #[doc = concat!("Sets [`", stringify!($name), "::", stringify!($field), "`].")]
                pub fn $field(mut self, $field: $ty) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

limits! {
    /// How much a [`StandardReader`](crate::StandardReader) reads and shows.
    pub struct ReadLimits {
        /// Tokens (by estimate) up to which a text comes whole. 25,000: an eighth of a window of 200,000.
        pub tokens: u64 = 25_000,
        /// Bytes up to which a text comes whole, whatever the estimate says: long runs of blanks or dashes cost next to no
        /// tokens and still fill a request. 1 MiB: 25,000 tokens of text have at most some 200 KiB.
        pub text_bytes: usize = MIB,
        /// Lines shown of a text that does not come whole. 2,000: a long source file.
        pub lines: u64 = 2_000,
        /// Characters shown of a line of such a text. 2,000: longer ones are data.
        pub line_chars: usize = 2_000,
        /// Bytes beyond which no file is read to its end. 64 MiB.
        pub file_bytes: u64 = 64 * MIB as u64,
        /// Bytes looked at of a larger file. 1 MiB: more than 2,000 lines of 25,000 tokens have.
        pub head_bytes: usize = MIB,
        /// Names shown of a directory. 1,000.
        pub entries: usize = 1_000,
        /// Tries to read a file that changes meanwhile. 5.
        pub attempts: u32 = 5,
        /// Milliseconds for which a file has to be unchanged before it is read. 20: the coarsest steps in which kernels count
        /// the time of a change (100 a second), twice, so that no change after the read keeps the time of the one before.
        pub settle_ms: u64 = 20,
        /// How pictures are made to fit.
        pub image: ImageLimits = ImageLimits::default(),
        /// Pages up to which a PDF comes whole. 10.
        pub pdf_pages: u64 = 10,
        /// Bytes per page by which the pages of a PDF are guessed where they can not be counted. 100 KiB.
        pub pdf_page_bytes: u64 = 100 * KIB as u64,
        /// Bytes up to which a PDF comes whole. 20 MiB: with a third more for base64, below the 32 MB of a request.
        pub pdf_bytes: usize = 20 * MIB,
        /// Pages of a PDF shown at once as text. 20.
        pub pdf_pages_a_call: u64 = 20,
        /// Pages that a request to a provider may hold in documents. 100.
        pub pdf_request_pages: u64 = 100,
        /// Bytes of a PDF that are parsed: all but the data of pictures, fonts and pages. 4 MiB: some 20,000 pages; the parser
        /// takes up to 60 bytes of memory for each.
        pub pdf_parsed_bytes: usize = 4 * MIB,
        /// Bytes that the packed objects of a PDF may have when they are unpacked, all together. 8 MiB.
        pub pdf_unpacked_bytes: usize = 8 * MIB,
        /// Bytes that the content of one page may have when it is unpacked. 2 MiB: text has some kilobytes, maps have more.
        pub pdf_content_bytes: usize = 2 * MIB,
        /// Pictures shown of a notebook. 20: providers ask for smaller pictures when there are more.
        pub notebook_images: usize = 20,
        /// Tokens (by estimate) shown of the output of a notebook cell. 2,500: a tenth of what a file gets.
        pub output_tokens: u64 = 2_500,
    }
}

limits! {
    /// How pictures are made to fit.
    pub struct ImageLimits {
        /// Pixels of the longer edge of what is sent. 1,568: providers scale down what is larger.
        pub side: u32 = 1_568,
        /// Bytes of what is sent, before base64. Below 3.75 MB: base64 makes 5 MB of it, the most that providers take.
        pub bytes: usize = 3_749_999,
        /// Bytes that a picture may take in memory when it is unpacked. 384 MiB: 100 megapixels in three colours.
        pub decode_bytes: u64 = 384 * MIB as u64,
        /// Pixels of the longer edge that are unpacked at all. 65,535: the most that JPEG and GIF can say.
        pub decode_side: u32 = 65_535,
        /// Quality of a JPEG that is written, of 100, as long as it fits. 85: no difference to see.
        pub quality: u8 = 85,
        /// Steps in which the quality goes down until the picture fits. 20.
        pub quality_step: u8 = 20,
        /// Quality below which the picture is made smaller instead. 45.
        pub least_quality: u8 = 45,
        /// Pixels of the longer edge below which a picture that still does not fit is given up. 64.
        pub least_side: u32 = 64,
    }
}

limits! {
    /// How a [`ChangeCheck`](crate::ChangeCheck) looks, and how much it shows.
    pub struct ChangeLimits {
        /// Milliseconds that have to lie between the last change of a file and the read of it, so that its facts alone say
        /// whether it is the same. 2,000: the coarsest times of file systems in use (FAT).
        pub racy_ms: u64 = 2_000,
        /// Milliseconds after which a missing file is looked for again. 20: editors that remove a file and write it anew are
        /// done by then.
        pub second_look_ms: u64 = 20,
        /// Unchanged lines shown around a change. 3, as in a patch.
        pub context: u32 = 3,
        /// Characters of the regions shown of one file. 8,000: some 2,000 tokens.
        pub file_chars: usize = 8_000,
        /// Characters of the regions shown of all files of a turn; beyond them only lines are counted. 32,000.
        pub turn_chars: usize = 32_000,
        /// Characters shown of one line. 2,000, as when a file is read.
        pub line_chars: usize = 2_000,
        /// Characters shown of a longer line before the place where it changed. 200.
        pub lead_chars: usize = 200,
        /// Pictures shown in a turn; of further ones only the name. 10.
        pub images: usize = 10,
        /// Files remembered as compared, so that one that was read soon after its last change is not read again each turn.
        /// 1,000: ten sessions' worth.
        pub remembered: usize = 1_000,
    }
}

limits! {
    /// How much [`suggest`](crate::suggest) looks at and gives.
    pub struct SuggestLimits {
        /// Names given. 100: more than anybody reads.
        pub names: usize = 100,
        /// Entries looked at. 200,000: a large repository, in about a tenth of a second.
        pub visited: usize = 200_000,
        /// Threads that walk. 2.
        pub threads: usize = 2,
    }
}
