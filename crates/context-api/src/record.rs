//! The form that plain data of this crate takes.

/// Whether a field has its default, and is therefore not written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Declares plain data: public fields, `Default`, serde with absent fields at their default, and a setter of the same
/// name for each field, since such structs are non-exhaustive.
macro_rules! record {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$fmeta:meta])* pub $field:ident: $ty:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$fmeta])* #[serde(skip_serializing_if = "crate::record::is_default")] pub $field: $ty,)*
        }

        impl $name {
            $(
                #[doc = concat!("Sets [`", stringify!($name), "::", stringify!($field), "`].")]
                pub fn $field(mut self, $field: impl Into<$ty>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    )+};
}
pub(crate) use record;

/// Declares a choice of words that are written in snake case; the first is the default.
macro_rules! words {
    ($($(#[$meta:meta])* pub enum $name:ident { $(#[$fmeta:meta])* $first:ident, $($(#[$vmeta:meta])* $variant:ident,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum $name { $(#[$fmeta])* #[default] $first, $($(#[$vmeta])* $variant,)* }
    )+};
}
pub(crate) use words;
