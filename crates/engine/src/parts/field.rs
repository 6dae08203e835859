//! A field of a command as it was sent: rules check bodies last, so a wrong field must survive until then.

use serde_json::Value;
use std::borrow::Cow;

/// A field that may be missing or of the wrong type.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Field<T> {
    /// Of the expected type.
    Given(T),
    /// Not there, or null.
    #[default]
    Missing,
    /// There, but this instead: a type or, if the type would do, the value.
    Wrong(Cow<'static, str>),
}

impl<T> Field<T> {
    /// The value, or the sentence that says what is wrong with the field.
    pub fn required(&self, name: &str, expected: &str) -> Result<&T, String> {
        match self {
            Field::Given(value) => Ok(value),
            Field::Missing => Err(format!("The field \"{name}\" is missing; it must be {expected}.")),
            Field::Wrong(found) => Err(format!("The field \"{name}\" must be {expected}, not {found}.")),
        }
    }

    /// The value if there is one, or the sentence that says what is wrong with the field.
    pub fn optional(&self, name: &str, expected: &str) -> Result<Option<&T>, String> {
        match self {
            Field::Missing => Ok(None),
            Field::Given(_) | Field::Wrong(_) => self.required(name, expected).map(Some),
        }
    }
}

/// A body with the type that it leaves out because it is plain.
pub fn with_type(body: &Value, name: &str) -> Value {
    let mut typed = body.clone();
    if let Some(fields) = typed.as_object_mut() {
        fields.insert("type".to_owned(), name.into());
    }
    typed
}

/// What stands there, for sentences. A number is named: another one may be what is wanted.
fn found(value: &Value) -> Cow<'static, str> {
    match value {
        Value::Number(number) => number.to_string().into(),
        other => type_name(other).into(),
    }
}

/// Which JSON type a value is, for sentences.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A field type that can be read off a JSON value.
pub trait FromField: Sized {
    /// The value as this type, or nothing.
    fn from_field(value: &Value) -> Option<Self>;
}

impl FromField for String {
    fn from_field(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl FromField for u64 {
    fn from_field(value: &Value) -> Option<Self> {
        value.as_u64()
    }
}

impl FromField for bool {
    fn from_field(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl<T: FromField> Field<T> {
    /// The field of that name in an object.
    pub fn of(body: &Value, name: &str) -> Self {
        match body.get(name) {
            None | Some(Value::Null) => Field::Missing,
            Some(value) => match T::from_field(value) {
                Some(value) => Field::Given(value),
                None => Field::Wrong(found(value)),
            },
        }
    }
}
