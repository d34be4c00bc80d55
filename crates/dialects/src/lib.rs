//! ModelRequest to a provider's wire JSON, with its limits checked
