//! Arguments and their schemas, from one type.

use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use rmcp::schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The schema of a tool's arguments, in the part of JSON Schema that hosts hand on to their models: one type a property,
/// no references, no nulls.
pub fn schema<T: JsonSchema>() -> Arc<JsonObject> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let object = schema.ensure_object();
    for name in ["$schema", "title", "description"] {
        object.remove(name);
    }
    let properties = object
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(properties) = properties {
        properties.values_mut().for_each(plain);
    }
    Arc::new(std::mem::take(object))
}

/// Takes from a property what says nothing to a model: the default null, and the width of a number.
fn plain(property: &mut Value) {
    if let Value::Object(property) = property {
        property.remove("default");
        property.remove("format");
        if let Some(Value::String(text)) = property.get_mut("description") {
            *text = text.replace('\n', " ");
        }
    }
}

/// The typed arguments, or what is wrong with which of them.
pub fn parse<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, String> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner();
        match path.as_str() {
            "." => problem.to_string(),
            name => format!("{name}: {problem}"),
        }
    })
}
