//! Reads a path the way a model gets to see it
