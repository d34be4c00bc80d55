//! Tests of the projector's public face.
