//! The program as its users run it: the README's script, stopping, and the commands that read beside a running server.

use crate::world::{self, Program, TempDir};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn bash(arguments: &[&str]) -> String {
    let output = Command::new("bash").args(arguments).current_dir(ROOT).output().expect("bash starts");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readme_s_script_and_the_example_end_in_game_completed() {
    let dir = TempDir::new();
    let server = Program::serve(dir.path(), &[]);
    let example = bash(&["docs/examples/six-steps.sh", server.api.base()]);
    assert!(example.contains("game_completed"), "{example}");
    let readme = std::fs::read_to_string(format!("{ROOT}/README.md")).expect("there is a README");
    let script = readme.split("```bash\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it has a script");
    assert!(script.contains("API=http://127.0.0.1:8000/api"), "the script names the default address");
    let script = script.replace("http://127.0.0.1:8000", server.api.base());
    let pasted = bash(&["-c", &script]);
    assert_eq!(pasted.trim().lines().last(), Some("game_completed"), "{pasted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_server_exits_with_0_and_what_it_wrote_verifies_replays_and_can_be_copied() {
    let dir = TempDir::new();
    let mut server = Program::serve(dir.path(), &[]);
    let example = bash(&["docs/examples/six-steps.sh", server.api.base()]);
    let game = example.lines().find_map(|line| line.strip_prefix("game ")).expect("it names its game").to_owned();
    let copy = dir.path().join("copy");
    std::fs::create_dir(&copy).expect("a folder");
    let file = copy.join("moot.db");
    let file = file.to_str().expect("a plain path");
    let (well, said) = world::moot(&["backup", file], dir.path());
    assert!(well, "{said}");
    let (again, said) = world::moot(&["backup", file], dir.path());
    assert!(!again && said.contains("exists already"), "{said}");
    let (well, said) = world::moot(&["verify", "--game", &game], dir.path());
    assert!(well, "{said}");
    assert_eq!(server.terminate(), Some(0));
    let (well, said) = world::moot(&["verify"], &copy);
    assert!(well && said.starts_with("ok: 1 games"), "{said}");
    let (well, said) = world::moot(&["replay", &game, "--to", "9"], dir.path());
    assert!(well && said.lines().count() == 9, "{said}");
    let (known, said) = world::moot(&["replay", "01900000-0000-7000-8000-000000000000"], dir.path());
    assert!(!known && said.contains("there is no game"), "{said}");
}

/// What `moot hear play` prints for texts of one sort.
struct Simulated(String);

impl Simulated {
    fn of(kind: &str, lang: &str, sort: &str, games: &str) -> Self {
        let cell = ["--kind", kind, "--lang", lang, "--sort", sort, "--games", games, "--briefs", "briefs"];
        let mut play = Command::new(env!("CARGO_BIN_EXE_moot"));
        let output = play.args(["hear", "play"]).args(cell).current_dir(ROOT).output().expect("it starts");
        Simulated(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }

    /// A figure in the output, by name.
    fn figure(&self, name: &str) -> f64 {
        let figure = self.0.split(name).nth(1).and_then(|rest| rest.split_whitespace().next());
        let figure = figure.and_then(|figure| figure.trim_end_matches('%').parse().ok());
        figure.unwrap_or_else(|| panic!("no {name}: {}", self.0))
    }
}

/// A small run of `moot hear play`, on texts that nothing was learned from: better arguments win.
#[test]
fn what_is_said_changes_what_happens_in_every_kind() {
    for lang in ["en", "ko"] {
        let [own, slogan] = ["own", "slogan"].map(|sort| Simulated::of("trial", lang, sort, "26"));
        for side in ["wins as prosecution", "wins as defense"] {
            let (own, slogan) = (own.figure(side), slogan.figure(side));
            println!("trial {lang} {side}: own words {own}%, slogans {slogan}%");
            assert!(own >= slogan + 20.0 && slogan <= 10.0, "{lang} {side}: {own} {slogan}");
        }
    }
    let [own, slogan] = ["own", "slogan"].map(|sort| Simulated::of("trolley", "ko", sort, "8").figure("saved"));
    println!("trolley: own words saved {own}%, slogans {slogan}%");
    assert!(own > slogan, "{own} {slogan}");
    let [own, salad] = ["own", "salad"].map(|sort| Simulated::of("tribunal", "en", sort, "24").figure("condemned"));
    println!("tribunal: own words condemn {own}%, nonsense {salad}%");
    assert!(own >= 40.0 && salad == 0.0, "{own} {salad}");
    let [own, silent] = ["own", "silent"].map(|sort| Simulated::of("mercury", "en", sort, "4").figure("adopted"));
    println!("mercury: own words adopt {own} issues, silence {silent}");
    assert!(own >= silent + 1.0, "{own} {silent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_to_a_data_directory() {
    let dir = TempDir::new();
    let _server = Program::serve(dir.path(), &[]);
    let (second, said) = world::moot(&["serve", "--listen", "127.0.0.1:0"], dir.path());
    assert!(!second && said.contains("another moot server is using"), "{said}");
    // No file can be deleted to let a second one in.
    for entry in std::fs::read_dir(dir.path()).expect("a directory") {
        let path = entry.expect("an entry").path();
        if !path.to_string_lossy().contains("moot.db") {
            std::fs::remove_file(path).expect("it can be deleted");
        }
    }
    let (second, said) = world::moot(&["admin", "reports"], dir.path());
    assert!(!second && said.contains("another moot server is using"), "{said}");
}

#[test]
fn simulated_games_keep_the_laws_and_count_their_decisions() {
    let dir = TempDir::new();
    let output = Command::new(env!("CARGO_BIN_EXE_moot"))
        .args(["simulate", "trolley", "--games", "30", "--seed", "test"])
        .current_dir(dir.path())
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.starts_with("30 games"), "{said}");
    assert!(said.contains("save_majority") && said.contains("save_minority"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cases_of_one_s_own_are_tried_and_a_bad_file_stops_the_start_by_name() {
    let dir = TempDir::new();
    let cases = dir.path().join("briefs/trial");
    std::fs::create_dir_all(&cases).expect("a folder");
    let case = r#"[{"case_id": "bread", "title": "The last loaf", "description": "Somebody ate it.",
        "evidence_for": ["Crumbs on the sleeve"], "evidence_against": ["The window was open"]}]"#;
    std::fs::write(cases.join("mine.json"), case).expect("a file");
    let briefs = dir.path().join("briefs");
    let briefs = briefs.to_str().expect("a plain path");
    let server = Program::serve(dir.path(), &["--briefs", briefs]);
    let meta = server.api.get("/api/games/meta").await.ok();
    let ids = |lang: &str| meta["trial"]["cases"][lang].to_string();
    assert!(ids("en").contains("bread") && ids("en").contains("case_001") && !ids("ko").contains("bread"), "{meta}");
    drop(server);
    let simulate = ["simulate", "trial", "--games", "60", "--briefs", briefs];
    let output = Command::new(env!("CARGO_BIN_EXE_moot")).args(simulate).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("60 games") && said.contains("GUILTY"), "{said}");
    std::fs::write(
        cases.join("zzz.json"),
        case.replace("bread", "brioche").replace("[\"Crumbs on the sleeve\"]", "[]"),
    )
    .expect("a file");
    let (well, said) = world::moot(&["serve", "--listen", "127.0.0.1:0", "--briefs", briefs], dir.path());
    assert!(!well && said.contains("zzz.json: brioche: evidence_for must have 1 to 8 entries"), "{said}");
    let (well, said) = world::moot(&["serve", "--listen", "127.0.0.1:0", "--briefs", "/nowhere"], dir.path());
    assert!(!well && said.contains("there is no directory /nowhere"), "{said}");
}

#[test]
fn a_case_of_one_s_own_is_heard_by_what_its_examples_teach() {
    let dir = TempDir::new();
    let folder = dir.path().join("briefs/trial/bread");
    std::fs::create_dir_all(&folder).expect("a folder");
    let case = r#"{"case_id": "bread", "title": "The last loaf", "description": "Somebody ate it.",
        "evidence_for": ["Crumbs on the sleeve"], "evidence_against": ["The window was open"]}"#;
    std::fs::write(dir.path().join("briefs/trial/bread.json"), case).expect("a file");
    let briefs = dir.path().join("briefs");
    let briefs = briefs.to_str().expect("a plain path");
    let hear = |args: &[&str]| {
        let program = &mut Command::new(env!("CARGO_BIN_EXE_moot"));
        let output = program.arg("hear").args(args).args(["--briefs", briefs]).output().expect("the program starts");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    let (well, said) = hear(&["train"]);
    assert!(!well && said.contains("nothing to learn from"), "{said}");

    let crumbs = [
        "There were crumbs all over the sleeve of his coat.",
        "Look at his sleeve, it is full of crumbs.",
        "A sleeve does not get covered in crumbs by itself.",
        "Crumbs on a cuff are what eating bread leaves behind.",
        "He brushed crumbs off his sleeve when they came in.",
        "Why would his sleeve have crumbs on it if he ate nothing?",
    ];
    let window = [
        "The window stood open all night, anyone could have climbed in.",
        "With an open window, every bird in the street could reach that loaf.",
        "Nobody had shut the window, so the whole town was a suspect.",
        "A passer-by could lean through the open window and take it.",
        "An open window means that it need not have been anyone in the house.",
        "You cannot blame the one inside when the window is open to the street.",
    ];
    let example = |point: &str, text: &str| {
        let points = serde_json::json!([{"id": point, "stance": "asserts"}]);
        let by = "teacher";
        serde_json::json!({"text": text, "points": points, "voice": "adult", "by": by, "split": "train"}).to_string()
    };
    let lines = crumbs.map(|text| example("P1", text)).into_iter().chain(window.map(|text| example("D1", text)));
    std::fs::write(folder.join("examples.en.jsonl"), lines.collect::<Vec<_>>().join("\n")).expect("a file");
    let (well, said) = hear(&["train"]);
    assert!(well && said.contains("en: 1 models") && said.contains("ko: 0 models"), "{said}");

    let explain = |text: &str| hear(&["explain", text, "--case", "bread"]).1;
    let heard = explain("His coat sleeve was covered in bread crumbs, and that is no accident.");
    assert!(heard.contains("P1 asserts"), "{heard}");
    let heard = explain("The window was open, so a stranger could have come in from the street.");
    assert!(heard.contains("D1 asserts"), "{heard}");
    let (well, said) = hear(&["eval", "--split", "house"]);
    let row = said.lines().find(|line| line.starts_with("trial en")).expect("a row");
    assert!(well && row.split_whitespace().nth(2) == Some("100.0%"), "its counsel are heard too: {said}");
    let heard = explain("I would like to thank my aunt for the lovely holiday in Spain.");
    assert!(heard.contains("no point"), "{heard}");

    std::fs::write(folder.join("ear.en"), "no model at all").expect("a file");
    let (well, said) = world::moot(&["serve", "--listen", "127.0.0.1:0", "--briefs", briefs], dir.path());
    assert!(!well && said.contains("bread/ear.en: it is no model"), "{said}");
    let (well, said) = hear(&["train"]);
    assert!(well, "what the refusal advises mends it: {said}");
    assert!(explain("Crumbs on his sleeve, look at them.").contains("P1 asserts"));
}
