//! Sections, cache scopes, contexts and the model request
