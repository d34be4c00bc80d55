//! Resources of MCP servers: read through the host, shown within limits.

mod encoded;
mod limits;
mod shown;
mod wording;

use std::sync::Arc;

use async_trait::async_trait;

pub use limits::ResourceLimits;
pub(crate) use shown::{Name, already_shown, named, shown};

/// Answers: what is in this resource of an MCP server?
///
/// The connection is the host's. Polled on a thread of the engine, within the host's runtime where there is one, so that one
/// which blocks costs nobody else anything; at the turn's deadline the future is dropped. Asked only for servers that the
/// host's catalog names and that can be reached, once a mention and turn. What it returns is foreign text: it is cut,
/// counted and fenced here, not by the reader.
///
/// ```
/// use std::sync::Arc;
/// use async_trait::async_trait;
/// use attachments::{Resource, ResourceError, ResourceReader, ResourceRequest};
/// struct Guide;
/// #[async_trait]
/// impl ResourceReader for Guide {
///     async fn read(&self, request: &ResourceRequest) -> Result<Resource, ResourceError> {
///         match request.uri.as_str() {
///             "file://guide" => Ok(Resource::text("Press the button.").named("Guide")),
///             _ => Err(ResourceError::NotFound),
///         }
///     }
/// }
/// let reader: Arc<dyn ResourceReader> = Arc::new(Guide);
/// ```
#[async_trait]
pub trait ResourceReader: Send + Sync + 'static {
    /// The resource as the server gives it.
    ///
    /// # Errors
    /// [`ResourceError::NotFound`] asks for another try with a shorter name, as typed text has marks behind it; any other
    /// error ends the look.
    async fn read(&self, request: &ResourceRequest) -> Result<Resource, ResourceError>;
}

#[async_trait]
impl<T: ResourceReader + ?Sized> ResourceReader for Arc<T> {
    async fn read(&self, request: &ResourceRequest) -> Result<Resource, ResourceError> {
        (**self).read(request).await
    }
}

/// What is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceRequest {
    /// The server, as the host's catalog names it.
    pub server: String,
    /// The resource, as the user typed it.
    pub uri: String,
    /// Bytes of text behind which nothing is shown: a reader may stop once it has more.
    pub most_bytes: usize,
}

impl ResourceRequest {
    /// A request for all of a resource.
    pub fn new(server: impl Into<String>, uri: impl Into<String>) -> Self {
        Self { server: server.into(), uri: uri.into(), most_bytes: usize::MAX }
    }
}

/// What a server holds under a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Resource {
    /// Its name for people; may be empty.
    pub name: String,
    /// What it consists of, in order.
    pub parts: Vec<ResourcePart>,
}

impl Resource {
    /// A resource of some parts.
    pub fn new(parts: Vec<ResourcePart>) -> Self {
        Self { name: String::new(), parts }
    }

    /// A resource of one text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::new(vec![ResourcePart::Text(text.into())])
    }

    /// The same with a name for people.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

/// One part of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourcePart {
    /// Text.
    Text(Arc<str>),
    /// Bytes, as the protocol carries them.
    Bytes {
        /// What the server says they are, such as `image/png`; may be empty.
        media_type: String,
        /// Standard base64 with padding.
        base64: Arc<str>,
    },
}

/// Why a resource can not be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResourceError {
    /// The server has nothing under this name.
    #[error("the server has no such resource")]
    NotFound,
    /// Anything else, in one sentence without its full stop.
    #[error("{0}")]
    Failed(String),
}
