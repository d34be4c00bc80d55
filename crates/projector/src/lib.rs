//! One entry, several destinations: what the model, a person and the host see
