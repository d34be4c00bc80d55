//! Tests of the projector's public face.
#![expect(clippy::unwrap_used, reason = "a helper of a test that can not go on fails the test")]

mod cases;
mod checker;
mod golden;
mod make;
mod neutral;
mod normalising;
mod properties;
mod schema;
mod signals;
