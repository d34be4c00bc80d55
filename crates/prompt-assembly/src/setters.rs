//! Setters for structs that may grow.

/// Declares a setter of the same name for each field, since such structs are non-exhaustive.
macro_rules! setters {
    ($name:ident { $($field:ident: $ty:ty,)* }) => {
        impl $name {
            $(
                #[doc = concat!("Sets [`", stringify!($name), "::", stringify!($field), "`].")]
                pub fn $field(mut self, $field: impl Into<$ty>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}
pub(crate) use setters;
