//! What a scenario's servers hold.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_core::attachments::{Resource, ResourceError, ResourcePart, ResourceReader, ResourceRequest};
use async_trait::async_trait;
use serde::Deserialize;

/// A resource as a server will give it from now on.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ResourceSpec {
    pub(crate) server: String,
    pub(crate) uri: String,
    /// Its name for people.
    #[serde(default)]
    name: String,
    #[serde(default)]
    content: ContentSpec,
    /// What goes wrong instead.
    #[serde(default)]
    error: Option<ResourceFault>,
}

/// A text, or parts.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum ContentSpec {
    Text(String),
    Parts(Vec<PartSpec>),
}

impl Default for ContentSpec {
    fn default() -> Self {
        Self::Parts(Vec::new())
    }
}

/// One part: a text, or bytes in base64.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum PartSpec {
    Text {
        text: String,
    },
    Bytes {
        #[serde(default)]
        media_type: String,
        base64: String,
    },
}

/// What goes wrong when a resource is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum ResourceFault {
    NotFound,
    Fail,
    Hang,
    Panic,
}

/// A reader whose answers stand in the scenario. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScriptedResources(Arc<Mutex<BTreeMap<(String, String), ResourceSpec>>>);

impl ScriptedResources {
    pub(crate) fn set(&self, spec: ResourceSpec) {
        self.lock().insert((spec.server.clone(), spec.uri.clone()), spec);
    }

    /// Whether any of them hangs.
    pub(crate) fn has_faults(&self) -> bool {
        self.lock().values().any(|spec| spec.error == Some(ResourceFault::Hang))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(String, String), ResourceSpec>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ResourceReader for ScriptedResources {
    #[expect(clippy::panic, reason = "the scenario asks for it")]
    async fn read(&self, request: &ResourceRequest) -> Result<Resource, ResourceError> {
        let asked = (request.server.clone(), request.uri.clone());
        let spec = self.lock().get(&asked).cloned().ok_or(ResourceError::NotFound)?;
        match spec.error {
            None => Ok(spec.resource()),
            Some(ResourceFault::NotFound) => Err(ResourceError::NotFound),
            Some(ResourceFault::Fail) => Err(ResourceError::Failed("on demand".to_owned())),
            Some(ResourceFault::Panic) => panic!("on demand"),
            Some(ResourceFault::Hang) => std::future::pending().await,
        }
    }
}

impl ResourceSpec {
    fn resource(self) -> Resource {
        let parts = match self.content {
            ContentSpec::Text(text) => vec![ResourcePart::Text(text.into())],
            ContentSpec::Parts(parts) => parts.into_iter().map(PartSpec::part).collect(),
        };
        Resource::new(parts).named(self.name)
    }
}

impl PartSpec {
    fn part(self) -> ResourcePart {
        match self {
            Self::Text { text } => ResourcePart::Text(text.into()),
            Self::Bytes { media_type, base64 } => ResourcePart::Bytes { media_type, base64: base64.into() },
        }
    }
}
