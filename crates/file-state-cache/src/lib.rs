//! What the model has seen of each file
