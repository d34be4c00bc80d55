//! Token counting, usage and fitting
