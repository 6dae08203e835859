//! Checks of the source tree that no compiler makes: layers, pure crates, SQL, routes, locales.

use crate::world::World;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// Every Rust file under this folder, by its path in the workspace, with its text.
fn sources(under: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("target") {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&workspace().join(under), &mut found);
    found.sort();
    assert!(!found.is_empty(), "no source under {under}");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source file is text");
        (path.strip_prefix(workspace()).expect("it lies there").display().to_string(), text)
    };
    found.into_iter().map(read).collect()
}

/// The lines that are code, with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Lines of code that contain any of these words.
fn naming(files: &[(String, String)], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        for (number, line) in code(text) {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                found.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    found
}

#[track_caller]
fn none(found: &[String], what: &str) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn every_module_says_what_it_is() {
    let silent: Vec<String> =
        sources("crates").into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(path, _)| path).collect();
    none(&silent, "these begin without a //! sentence");
}

#[test]
fn no_test_is_ignored() {
    none(&naming(&sources("crates"), &[concat!("#[", "ignore")]), "ignored tests");
}

#[test]
fn no_test_sleeps() {
    let tests: Vec<_> = sources("crates").into_iter().filter(|(path, _)| path.contains("/tests/")).collect();
    assert!(tests.len() > 5);
    none(&naming(&tests, &[concat!("thread::", "sleep"), concat!("time::", "sleep(")]), "wait for the event itself");
}

#[test]
fn the_pure_crates_name_nothing_impure() {
    let banned = [
        "std::fs",
        "std::net",
        "std::env",
        "SystemTime",
        "Instant::now",
        "tokio",
        "rand::rng",
        "thread_rng",
        "HashMap",
        "HashSet",
    ];
    for folder in ["crates/commons/src", "crates/engine/src", "crates/games/src"] {
        none(&naming(&sources(folder), &banned), "a pure crate names");
    }
    for crate_ in ["commons", "engine", "games"] {
        let manifest =
            std::fs::read_to_string(workspace().join(format!("crates/{crate_}/Cargo.toml"))).expect("a manifest");
        for banned in ["tokio", "axum", "rusqlite", "getrandom", "reqwest"] {
            assert!(!manifest.contains(banned), "{crate_} depends on {banned}");
        }
        let other = match crate_ {
            "commons" => &["games"][..],
            "games" => &["commons"],
            _ => &["commons", "games"],
        };
        for other in other {
            assert!(!manifest.contains(&format!("{other}.workspace")), "{crate_} knows {other}");
        }
    }
}

#[test]
fn sql_is_in_the_store_and_nowhere_else() {
    let outside: Vec<_> = sources("crates")
        .into_iter()
        .filter(|(path, _)| path.contains("/src/") && !path.starts_with("crates/store/"))
        .collect();
    let banned = ["\"select ", "insert into ", "delete from ", "pragma ", "create table", "rusqlite", "Connection"];
    let mut found = naming(&outside, &banned);
    // Here a connection is one over HTTP, not to a database.
    let over_http = ["crates/server/src/bench/client.rs", "crates/server/src/http/listen.rs"];
    found.retain(|line| !(line.ends_with("Connection") && over_http.iter().any(|file| line.starts_with(file))));
    none(&found, "SQL or a connection outside of crates/store");
    let upper = ["SELECT ", "INSERT INTO", "DELETE FROM", "PRAGMA ", "CREATE TABLE"];
    none(&naming(&sources("crates/store/src"), &upper), "SQL is written in lower case");
    for crate_ in ["commons", "engine", "games", "server"] {
        let manifest =
            std::fs::read_to_string(workspace().join(format!("crates/{crate_}/Cargo.toml"))).expect("a manifest");
        let shipped = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        assert!(!shipped.contains("rusqlite"), "{crate_} depends on the database's library");
    }
    let store = std::fs::read_to_string(workspace().join("crates/store/Cargo.toml")).expect("a manifest");
    for above in ["games", "axum", "askama", "reqwest"] {
        assert!(!store.contains(above), "the store depends on {above}");
    }
}

/// The modules of the server, each above those before it. A `use` that points up is a mistake.
const LAYERS: [&str; 13] = [
    "briefs", "settings", "locale", "problem", "play", "http", "corpus", "minds", "api", "pages", "routes", "bench",
    "cli",
];

/// The modules of the crate that a file names.
fn crate_modules(text: &str) -> BTreeSet<String> {
    let code: String = code(text).map(|(_, line)| format!("{line}\n")).collect();
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let word = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
        match rest.strip_prefix('{') {
            None => drop(found.insert(word(rest))),
            Some(list) => {
                let mut depth = 0;
                let mut item = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => drop(found.insert(word(std::mem::take(&mut item).trim()))),
                        _ => item.push(c),
                    }
                }
                found.insert(word(item.trim()));
            }
        }
    }
    found
}

#[test]
fn no_module_of_the_server_names_one_above_it() {
    let place = |module: &str| LAYERS.iter().position(|layer| *layer == module);
    let mut upward = Vec::new();
    for (path, text) in sources("crates/server/src") {
        let inside = path.trim_start_matches("crates/server/src/");
        let own = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        if matches!(own, "lib" | "main") {
            continue;
        }
        let height = place(own).unwrap_or_else(|| panic!("{path} is in no layer"));
        for named in crate_modules(&text) {
            if place(&named).is_some_and(|other| other > height) {
                upward.push(format!("{path} names {named}, which is above {own}"));
            }
        }
    }
    none(&upward, "the layers are crossed upwards");
}

#[tokio::test]
async fn every_route_is_in_the_api_document_and_the_reverse() {
    let world = World::open().await;
    let document = world.api.get("/api/openapi.json").await.ok();
    let operations: usize = document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .map(|methods| methods.as_object().expect("methods").len())
        .sum();
    let page = std::fs::read_to_string(workspace().join("crates/server/src/routes.rs")).expect("the page of routes");
    let mut registered = BTreeSet::new();
    for (_, line) in code(&page) {
        let Some((_, rest)) = line.split_once("routes!(") else { continue };
        let names = rest.split(')').next().unwrap_or_default();
        registered.extend(names.split(',').map(|name| name.trim().to_owned()).filter(|name| name.contains("::")));
    }
    assert_eq!(
        registered.len(),
        operations,
        "each registered handler is one operation of the document: {registered:?}"
    );
    let described: usize =
        sources("crates/server/src").iter().map(|(_, text)| text.matches(concat!("#[utoipa", "::path(")).count()).sum();
    assert_eq!(described, operations, "a handler that is described is registered");
    // The bench runs bare servers beside ours for comparison.
    let ours: Vec<_> = sources("crates/server/src").into_iter().filter(|(path, _)| !path.contains("/bench/")).collect();
    let beside = naming(&ours, &[".route(\"/api", ".route(\"/ws"]);
    none(&beside, "routes of the API that the document does not know");
    let fields = &document["components"]["schemas"]["NewGame"]["properties"];
    for kind in games::catalog::KINDS {
        for option in kind.meta.options {
            let about = fields[option.name]["description"].as_str().unwrap_or_default();
            assert!(about.contains(kind.meta.name), "{} of {} is not in the document", option.name, kind.meta.name);
        }
    }
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let told = operation["summary"].as_str().or(operation["description"].as_str());
            assert!(told.is_some_and(|told| !told.is_empty()), "{method} {path} says nothing about itself");
        }
    }
}

#[test]
fn every_sentence_is_there_in_every_language() {
    let folder = workspace().join("crates/server/locales");
    if !folder.exists() {
        return;
    }
    let keys = |language: &str| {
        let mut keys = BTreeSet::new();
        for file in std::fs::read_dir(folder.join(language)).expect("a folder for each language") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("it is text");
            let named = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()));
            keys.extend(named.filter_map(|line| line.split_once(" =")).map(|(key, _)| key.trim().to_owned()));
        }
        keys
    };
    let (english, korean) = (keys("en"), keys("ko"));
    assert!(!english.is_empty());
    let missing: Vec<_> = english.symmetric_difference(&korean).collect();
    assert!(missing.is_empty(), "only in one of the languages: {missing:?}");
}

/// Stored JSON is compared byte by byte, so a feature that some dependency switches on must not decide the order of its keys.
#[test]
fn the_order_of_keys_in_json_is_the_same_in_every_build() {
    let kept_as_written = json!({"b": 1, "a": 2}).to_string().starts_with("{\"b\"");
    let manifest = std::fs::read_to_string(workspace().join("Cargo.toml")).expect("the workspace's manifest");
    let line = manifest.lines().find(|line| line.starts_with("serde_json")).expect("the workspace names serde_json");
    let asked_for = line.contains("preserve_order");
    assert_eq!(kept_as_written, asked_for, "preserve_order is switched on by a dependency, not by name");
}
