//! What kinds with a docket of cases share.

use engine::rules::OptionSpec;
use serde_json::Value;

/// The option that names a case.
pub const CASE: OptionSpec = OptionSpec {
    name: "case_id",
    about: "Which case is tried; one is drawn at the start if not given.",
    json: "string",
    accepts: Value::is_string,
    expected: "the id of a case",
    own_words: false,
    only_here: true,
};
