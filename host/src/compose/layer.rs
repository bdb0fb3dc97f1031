//! One layer: a middleware component with its settings, both checked.

use serde_json::Value;

use super::{ComposeError, SETTINGS, TOOLS, anatomy::Anatomy, settings};
use crate::limits::CompositionLimits;

/// A middleware and what it is told.
#[derive(Clone, Debug)]
pub struct Layer {
    name: String,
    component: Vec<u8>,
    exports_tools: String,
    /// None when it answers every call itself.
    imports_tools: Option<String>,
    imports_settings: Option<String>,
    /// One JSON text.
    settings: Option<String>,
    /// Whether somebody chose the settings, or they are the default of its schema.
    origin: Option<String>,
}

/// Settings as somebody wrote them: JSON with comments.
#[derive(Clone, Debug)]
pub struct SettingsText {
    /// Where they came from, for errors.
    pub origin: String,
    /// The text.
    pub text: String,
}

impl Layer {
    /// Takes a middleware component, and its settings where there are any.
    ///
    /// # Errors
    ///
    /// When the component isn't a middleware or asks for more than `tools` and `settings`; when it has no settings and gets
    /// some, or needs some and gets none; when the settings aren't what its schema says.
    pub fn new(
        name: impl Into<String>,
        component: Vec<u8>,
        given: Option<SettingsText>,
        limits: &CompositionLimits,
    ) -> Result<Self, ComposeError> {
        let name = name.into();
        let not_one = |detail: String| ComposeError::NotAMiddleware { name: name.clone(), detail };
        let anatomy = Anatomy::read(&component).map_err(not_one)?;
        let Some(exports_tools) = anatomy.export(TOOLS) else {
            return Err(not_one(format!("it does not export `{TOOLS}0`")));
        };
        let foreign = anatomy.imports_besides(&[TOOLS, SETTINGS]);
        if !foreign.is_empty() {
            let detail = format!("it imports `{}`", foreign.join("`, `"));
            return Err(not_one(format!(
                "{detail}, and may import `{TOOLS}0` and `{SETTINGS}0` only"
            )));
        }
        let imports_settings = anatomy.import(SETTINGS);
        let (settings, origin) = match (&imports_settings, given) {
            (None, None) => (None, None),
            (None, Some(_)) => return Err(ComposeError::NoSettings(name)),
            (Some(_), given) => {
                let schema = anatomy.schema.as_deref();
                let (text, origin) = settings::check(&name, schema, given, limits)?;
                (Some(text), Some(origin))
            }
        };
        let imports_tools = anatomy.import(TOOLS);
        Ok(Self {
            name,
            component,
            exports_tools,
            imports_tools,
            imports_settings,
            settings,
            origin,
        })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its settings, one JSON text, where it has any.
    pub fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    /// Where its settings came from: the name of a file, `the command line`, or `its default`.
    pub fn settings_origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// Whether it passes calls on. One that doesn't is the last of its stack.
    pub fn passes_calls_on(&self) -> bool {
        self.imports_tools.is_some()
    }

    pub(super) fn component(&self) -> &[u8] {
        &self.component
    }

    pub(super) fn exports_tools(&self) -> &str {
        &self.exports_tools
    }

    pub(super) fn imports_tools(&self) -> Option<&str> {
        self.imports_tools.as_deref()
    }

    pub(super) fn imports_settings(&self) -> Option<&str> {
        self.imports_settings.as_deref()
    }
}

impl SettingsText {
    /// Settings that are there as a value.
    pub fn from_value(origin: impl Into<String>, value: &Value) -> Self {
        Self { origin: origin.into(), text: value.to_string() }
    }
}
