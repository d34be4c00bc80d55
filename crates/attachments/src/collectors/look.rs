//! The form of collectors that only look at memory.

/// Makes a collector of a type with a method `look`, which says what is new and never blocks.
macro_rules! looks {
    ($type:ty, $label:literal, $stage:ident) => {
        #[async_trait::async_trait]
        impl context_api::Collector for $type {
            fn label(&self) -> &str {
                $label
            }

            fn stage(&self) -> context_api::Stage {
                context_api::Stage::$stage
            }

            fn work(&self) -> context_api::Work {
                context_api::Work::Memory
            }

            async fn collect(
                &self,
                turn: &context_api::TurnView,
                out: &context_api::Outbox,
            ) -> Result<(), context_api::CollectError> {
                Ok(self.look(turn, out)?)
            }
        }
    };
}
pub(super) use looks;
