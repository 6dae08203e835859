//! Every page in every state, written to files for people to look at, and checked for what they would miss.

mod halls;
mod meetings;
mod plays;
mod ranks;
mod stalls;
mod trials;
mod tribunals;

use askama::Template;
use engine::game::Progress;
use engine::roster::{Lang, Terms};
use engine::rules::Viewer;
use games::catalog::CATALOG;
use meetings::Meet;
use moot::locale::Words;
use moot::pages::admin::ReportRow;
use moot::pages::docs::{
    AgentsPage, Api, ApiPage, DocsPage, EconomyPage, MercuryPage, TrialPage, TribunalPage, TrolleyPage,
};
use moot::pages::lobby::{Listing, Lobby, LobbyPage, Offered, TableCard};
use moot::pages::mercury::card as mercury_card;
use moot::pages::people::forms::{
    AccountPage, GameRow, KeyRow, LoginPage, NewPage, PlayPage, RegisterPage, ReportPage,
};
use moot::pages::shared::error::ErrorPage;
use moot::pages::shared::faces;
use moot::pages::shared::frame::{Again, Frame, Refusal};
use moot::pages::shared::table::{Around, May, TablePage};
use moot::pages::shared::timeline::ReplayPage;
use moot::pages::trial::body::{TrialBody, TrialReplay};
use moot::pages::trial::card as trial_card;
use moot::pages::tribunal::card as tribunal_card;
use moot::pages::trolley::body::TrolleyBody;
use moot::pages::trolley::card as trolley_card;
use moot::pages::trolley::replay::TrolleyReplay;
use plays::{NOW, Play, many_names};
use std::fs;
use std::path::Path;
use trials::Trying;
use tribunals::Tried;

const OUT: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/gallery");
const EN5: [&str; 5] = ["Alice", "Boris Godunov", "Charlie", "Dana", "Émile"];
const KO5: [&str; 5] = ["지우", "민준", "Alice", "서연", "나그네"];

fn write(name: &str, html: &str) {
    let path = Path::new(OUT).join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("written");
    fs::write(path, html).expect("written");
}

fn names(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

fn frame(lang: Lang, title: &str, path: &str) -> Frame {
    Frame { user: (lang == Lang::En).then(|| "Hypatia".to_owned()), ..Frame::new(lang, title, path) }
}

fn five(ko: bool, number: u128) -> Play {
    Play::table(number, ko, 5, if ko { &KO5 } else { &EN5 }, 4, Terms::default())
}

fn page(lang: Lang, play: &Play, viewer: Viewer, change: impl FnOnce(&mut TrolleyBody)) -> String {
    let mut table = TrolleyBody::new(Words(lang), play.view(viewer), &play.entries, None);
    table.around.sitters = play.sitters();
    table.around.invite_url = format!("https://moot.example/games/{}", play.game.id);
    table.around.watchers = 3;
    change(&mut table);
    let frame = frame(lang, &table.heading(), &format!("/games/{}", play.game.id));
    TablePage { frame, styles: faces::of("trolley").look.styles, sells: false, body: table.render().expect("rendered") }
        .render()
        .expect("rendered")
}

fn refusal(code: &str, field: &str, sentence: &str, draft: &[(&str, &str)]) -> Again {
    let draft = draft.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Again(Some(Refusal { code: code.into(), field: Some(field.into()), sentence: sentence.into(), draft }))
}

fn tables(lang: Lang) -> Vec<(String, String)> {
    let ko = lang == Lang::Ko;
    let mut pages = vec![];
    let mut add = |name: &str, html: String| pages.push((name.to_owned(), html));
    let spectator = Viewer::Spectator;

    let waiting = Play::table(1, ko, 5, if ko { &KO5[..2] } else { &EN5[..2] }, 9, Terms::default());
    add("waiting", page(lang, &waiting, spectator, |t| t.around.may = May { sit: true, fill: true, ..May::default() }));
    let seat = Viewer::Seat(engine::id::Seat(1));
    let host = May { fill: true, start: true, leave: true, advance: true, ..May::default() };
    add("ready-host", page(lang, &five(ko, 2), seat, |t| t.around.may = host));
    let play = five(ko, 3).start().argue(2);
    let mine = Viewer::Seat(play.on_track(false));
    add("argue", page(lang, &play, mine, |_| {}));
    let long = "x".repeat(512);
    add(
        "argue-refused",
        page(lang, &play, mine, |t| {
            let sentence = "The field \"text\" has 512 characters; at most 500 are allowed.";
            t.around.again = refusal("INVALID_BODY", "text", sentence, &[("text", &long)]);
        }),
    );
    add("spoken", page(lang, &play, Viewer::Seat(play.on_track(true)), |_| {}));
    add("listen", page(lang, &play, Viewer::Seat(play.operator()), |t| t.around.may = host));
    let play = five(ko, 3).start().round("save_minority").argue(6);
    add("watch", page(lang, &play, spectator, |t| t.around.demo = true));
    let play = five(ko, 4).start().round("save_majority").argue(500);
    add("decide", page(lang, &play, Viewer::Seat(play.operator()), |_| {}));
    add(
        "decide-refused",
        page(lang, &play, Viewer::Seat(play.operator()), |t| {
            t.around.may = host;
            let draft = [("decision", "save_minority"), ("reason", "I owe them an answer, and so do you.")];
            t.around.again = refusal("UNKNOWN_ARGUMENT", "decisive_argument_id", "No such argument.", &draft);
        }),
    );
    add("await", page(lang, &play, spectator, |_| {}));
    let reason = if ko { "설명할 수 있는 쪽을 살렸습니다." } else { "I saved the side I could explain." };
    let play = five(ko, 4).start().argue(500).decide("save_majority", Some(reason));
    add("resolved-majority", page(lang, &play, spectator, |t| t.around.may = host));
    let play = five(ko, 5).start().argue(500).decide("save_minority", None);
    add("resolved-minority", page(lang, &play, Viewer::Seat(play.on_track(false)), |_| {}));
    add("completed", page(lang, &five(ko, 6).start().whole(), spectator, |_| {}));
    add("expired", page(lang, &waiting.expire(), spectator, |_| {}));
    let play = five(ko, 7).start();
    let seat = (0..3).map(engine::id::Seat).find(|s| *s != play.operator()).expect("one of three");
    let play = play.hand(seat);
    add("handed", page(lang, &play, Viewer::Seat(seat), |t| t.around.may = May { take_back: true, ..May::default() }));
    for count in [3_usize, 8, 24, 50] {
        let many = many_names(count);
        let play = Play::table(count as u128, ko, 3, &names(&many), 2, Terms { open: true, ..Terms::default() });
        let play = play.start().round("save_majority").argue(count / 2);
        add(&format!("players-{count}"), page(lang, &play, spectator, |_| {}));
        let play = play.argue(500).decide("save_majority", None);
        add(&format!("players-{count}-resolved"), page(lang, &play, spectator, |_| {}));
    }
    let nasty = [
        "<script>alert(1)</script>",
        "A name of forty characters, to the brim!",
        "\"' onload=x",
        "日本語の名前がとても長い人です",
        "👩‍⚖️",
    ];
    let play = Play::table(8, ko, 5, &nasty, 9, Terms { open: true, ..Terms::default() }).start().argue(3);
    add("nasty", page(lang, &play, Viewer::Seat(play.on_track(false)), |_| {}));
    pages
}

fn court(lang: Lang, trying: &Trying, viewer: Viewer, change: impl FnOnce(&mut TrialBody)) -> String {
    let mut court = TrialBody::new(Words(lang), trying.view(viewer), &trying.entries, None);
    court.around.sitters = moot::pages::shared::people::Sitter::all(trying.game.id, trying.game.roster());
    court.around.invite_url = format!("https://moot.example/games/{}", trying.game.id);
    change(&mut court);
    let frame = frame(lang, &court.heading(), "/games/x");
    TablePage { frame, styles: faces::of("trial").look.styles, sells: false, body: court.render().expect("rendered") }
        .render()
        .expect("rendered")
}

fn trials(lang: Lang) -> Vec<(String, String)> {
    let ko = lang == Lang::Ko;
    let mut pages = vec![];
    let mut add = |name: &str, html: String| pages.push((name.to_owned(), html));
    let spectator = Viewer::Spectator;
    let table = |seated| Trying::table(ko, 31, seated);
    add("waiting", court(lang, &table(3), spectator, |c| c.around.may.sit = true));
    add(
        "waiting-stranger",
        court(lang, &table(3), spectator, |c| {
            c.around.may.sit = true;
            c.around.account_needed = true;
        }),
    );
    let arguing = table(6).speak(9);
    let silent = arguing.awaited();
    let long = "x".repeat(201);
    add("argument", court(lang, &arguing, silent, |_| {}));
    add(
        "argument-refused",
        court(lang, &arguing, silent, |c| {
            let sentence = "The field \"text\" has 201 characters; at most 200 are allowed.";
            c.around.again = refusal("INVALID_BODY", "text", sentence, &[("text", &long)]);
        }),
    );
    let voting = table(6).until_vote().vote(2);
    add("vote", court(lang, &voting, voting.awaited(), |_| {}));
    add("vote-watched", court(lang, &voting, spectator, |_| {}));
    add("vote-idle", court(lang, &voting, Viewer::Seat(voting.seat_of("JUDGE")), |_| {}));
    let counted = table(6).until_vote().vote(3);
    add("verdict", court(lang, &counted, counted.awaited(), |_| {}));
    let whole = table(6).whole();
    add("end", court(lang, &whole, Viewer::Seat(whole.seat_of("JUROR")), |_| {}));
    for (name, share) in [("replay-middle", 2), ("replay", 1)] {
        let at = TrialReplay::moment(&whole.entries, Some(whole.entries[whole.entries.len() / share - 1].seq.0));
        let replay = TrialReplay::new(Words(lang), whole.view_at(at), &whole.entries, at);
        let frame = frame(lang, &Words(lang).t("replay"), "/games/x/replay");
        add(
            name,
            ReplayPage { frame, styles: faces::of("trial").look.styles, body: replay.render().expect("rendered") }
                .render()
                .expect("rendered"),
        );
    }
    pages
}

fn listing(play: &Play, watchers: usize, demo: bool) -> Listing {
    Listing { id: play.game.id.to_string(), watchers, demo, created_at: play.game.created_at() }
}

fn lobby(lang: Lang) -> String {
    let ko = lang == Lang::Ko;
    let (eight, many) = (many_names(8), many_names(24));
    let w = Words(lang);
    let card = |play: &Play, watchers, demo| -> TableCard {
        trolley_card(&w, &play.view(Viewer::Spectator), &play.entries, listing(play, watchers, demo))
    };
    let trial = |trying: &Trying| -> TableCard {
        let id = trying.game.id.to_string();
        let listing = Listing { id, watchers: 2, demo: false, created_at: trying.game.created_at() };
        trial_card(&w, &trying.view(Viewer::Spectator), &trying.entries, listing)
    };
    let mercury = |meet: Meet| -> TableCard {
        let id = meet.game.id.to_string();
        let listing = Listing { id, watchers: 1, demo: true, created_at: meet.game.created_at() };
        mercury_card(&w, &meet.view(Viewer::Spectator), &meet.heard(Viewer::Spectator), 9, listing)
    };
    let tribunal = |tried: Tried| -> TableCard {
        let id = tried.game.id.to_string();
        let listing = Listing { id, watchers: 1, demo: true, created_at: tried.game.created_at() };
        tribunal_card(&w, &tried.view(Viewer::Spectator), None, &tried.heard(Viewer::Spectator), listing)
    };
    let live = vec![
        tribunal(Tried::first(|number| Tried::table(ko, number, "john_law", true, 3).exchange(3), "burden")),
        tribunal(Tried::table(ko, 82, "robert_clive", false, 3).exchange(2).at("ruling")),
        mercury(
            Meet::of(ko, 61, "TZA").until(|view| view.round3.active_issue.as_ref().is_some_and(|a| a.votes.len() == 4)),
        ),
        trial(&Trying::table(ko, 41, 6).speak(9)),
        card(&five(ko, 11).start().round("save_minority").argue(6), 4, true),
        card(&Play::table(12, ko, 3, &names(&eight), 1, Terms::default()).start().argue(9).argue(500), 1, false),
        card(&five(ko, 13).start().argue(500).decide("save_minority", None), 0, false),
        card(&Play::table(14, ko, 3, &names(&many), 1, Terms::default()).start().argue(7), 12, false),
    ];
    let waiting = vec![
        tribunal(Tried::table(ko, 83, "john_locke", false, 2)),
        trial(&Trying::table(ko, 42, 3)),
        card(&Play::table(15, ko, 5, if ko { &KO5[..2] } else { &EN5[..2] }, 9, Terms::default()), 0, false),
        card(&Play::table(16, ko, 3, &names(&many)[..11], 1, Terms { open: true, ..Terms::default() }), 0, false),
    ];
    let finished = vec![
        tribunal(Tried::table(ko, 84, "thomas_midgley", true, 3).at("completed")),
        mercury(Meet::of(ko, 62, "EU").at("REVIEW")),
        trial(&Trying::table(ko, 43, 6).whole()),
        card(&five(ko, 17).start().whole(), 0, true),
        card(&five(ko, 18).start().whole(), 0, false),
    ];
    let lobby = Lobby { w: Words(lang), now: NOW, live: Lobby::fitting(live), waiting, finished };
    lobby_page(frame(lang, "", "/"), lobby)
}

fn lobby_empty(lang: Lang) -> String {
    let lobby = Lobby { w: Words(lang), now: NOW, live: vec![], waiting: vec![], finished: vec![] };
    lobby_page(Frame::new(lang, "", "/"), lobby)
}

fn lobby_page(frame: Frame, lobby: Lobby) -> String {
    let kinds = Offered::all(CATALOG, frame.w).expect("they are sound");
    LobbyPage { frame, lobby, kinds, base_url: "http://localhost:8080".into() }.render().expect("rendered")
}

fn replay(lang: Lang, whole: Play, at: impl FnOnce(&Play) -> Option<u64>) -> String {
    let at = TrolleyReplay::moment(&whole.entries, at(&whole));
    let view = whole.view_at(at);
    let replay = TrolleyReplay::new(Words(lang), view, &whole.entries, at);
    let frame = frame(lang, &Words(lang).t("replay"), "/games/x/replay");
    ReplayPage { frame, styles: faces::of("trolley").look.styles, body: replay.render().expect("rendered") }
        .render()
        .expect("rendered")
}

fn sheets(lang: Lang) -> Vec<(String, String)> {
    let w = Words(lang);
    let frame = |title: &str, path: &str| frame(lang, &w.t(title), path);
    let mut pages = vec![];
    let mut add = |name: &str, page: &dyn Fn() -> askama::Result<String>| {
        pages.push((name.to_owned(), page().expect("rendered")));
    };
    let none = Again::default;
    let new_frame = frame("new-title", "/new");
    let new = |own_name: &str, kind, again: Again| {
        let own_name = own_name.to_owned();
        NewPage {
            frame: new_frame.clone(),
            own_name,
            kind,
            kinds: Offered::with_fields(CATALOG, w, &again).expect("they are sound"),
            minds: vec!["house".into(), "anthropic:claude".into()],
            preferred: "house".into(),
            again,
        }
    };
    add("new", &|| new("Hypatia", "trolley", none()).render());
    add("new-mercury", &|| new("Hypatia", "mercury", none()).render());
    add("new-tribunal", &|| new("Hypatia", "tribunal", none()).render());
    add("new-trial", &|| new("Hypatia", "trial", none()).render());
    let again =
        refusal("INVALID_PLAYERS", "min_players", "min_players must be 3 to 50, not 2.", &[("min_players", "2")]);
    add("new-refused", &|| new("", "trolley", again.clone()).render());
    let signed_out = Frame::new(lang, w.t("login-title"), "/login");
    add("login", &|| {
        LoginPage { frame: signed_out.clone(), next: "/new".into(), why: "".into(), again: none() }.render()
    });
    let again = refusal("UNAUTHORIZED", "password", "Wrong email or password.", &[("email", "h@example.org")]);
    add("login-refused", &|| {
        LoginPage { frame: signed_out.clone(), next: "/".into(), why: "".into(), again: again.clone() }.render()
    });
    add("register", &|| {
        RegisterPage { frame: signed_out.clone(), next: "/".into(), why: "seat".into(), again: none() }.render()
    });
    let ago = |s: i64| engine::time::Timestamp(NOW.0 - s * 1000);
    let key = |id: &str, label: &str| KeyRow {
        id: id.into(),
        label: label.into(),
        created_at: ago(90_000),
        hint: "…4f2a".into(),
        corpus: label != "notebook",
        trusted: label != "notebook",
    };
    let game = |progress, my_turn| GameRow {
        id: "01904f2a".into(),
        kind: "trolley",
        progress,
        expired: false,
        created_at: ago(4000),
        my_turn,
        about: String::new(),
    };
    let account = AccountPage {
        frame: frame("account-games", "/account"),
        name: "Hypatia".into(),
        email: "hypatia@alexandria.example".into(),
        keys: vec![key("k1", "notebook"), key("k2", "<b>the house robot</b>")],
        fresh_key: Some("moot_6b1f0c2f9e8d4a77b3a1c0ffee00d15e".into()),
        games: vec![game(Progress::Playing, true), game(Progress::Table, false), game(Progress::Over, false)],
        purse: stalls::purse(),
        arguments: stalls::own(),
        now: NOW,
        done: Some("password-changed"),
        again: none(),
    };
    add("account", &|| account.render());
    let again = refusal("FORBIDDEN", "password", "The password is wrong.", &[("confirm", "Hypatia")]);
    let refused = AccountPage { fresh_key: None, done: None, again, ..account.clone() };
    add("account-refused", &|| refused.render());
    let report = ReportPage {
        frame: frame("report-title", "/report"),
        game_id: "01904f2a".into(),
        agent_id: String::new(),
        item_id: "arg-9-000000000001".into(),
        quote: "Count the people, <i>all</i> of them.".into(),
        done: false,
        again: none(),
    };
    add("report", &|| report.render());
    add("report-done", &|| ReportPage { done: true, ..report.clone() }.render());
    for status in [404_u16, 401, 500] {
        let error_frame = Frame::new(lang, status.to_string(), "/nowhere");
        add(&format!("error-{status}"), &|| ErrorPage { frame: error_frame.clone(), status, detail: None }.render());
    }
    let row = |id: &str, about, quote: &str, resolved| ReportRow {
        id: id.into(),
        at: ago(700),
        by: if resolved { String::new() } else { "Hypatia".into() },
        game_id: "01904f2a".into(),
        about,
        quote: quote.into(),
        link: "/games/01904f2a".into(),
        reason: "It insults a person who is not at the table.".into(),
        resolved,
    };
    let reports = vec![row("r1", "speech", "You are all fools.", false), row("r2", "name", "<script>x</script>", true)];
    let admin_frame = Frame { admin: true, ..frame("admin-title", "/admin") };
    let flagged = stalls::flagged();
    let admin = halls::admin(admin_frame, reports, flagged);
    add("admin", &|| admin.render());
    let stalls = stalls::market(lang).into_iter().chain(stalls::archive(lang));
    for (name, html) in ranks::standings(lang).into_iter().chain(stalls).chain(halls::pages(lang)) {
        add(name, &|| Ok(html.clone()));
    }
    add("docs", &|| DocsPage { frame: frame("nav-docs", "/docs") }.render());
    add("docs-mercury", &|| MercuryPage { frame: frame("docs-mercury", "/docs/mercury") }.render());
    add("docs-economy", &|| {
        EconomyPage { frame: frame("docs-economy", "/docs/economy"), terms: Default::default() }.render()
    });
    add("docs-tribunal", &|| TribunalPage { frame: frame("docs-tribunal", "/docs/tribunal") }.render());
    add("docs-trial", &|| TrialPage { frame: frame("docs-trial", "/docs/trial") }.render());
    for account_needed in [true, false] {
        let frame = frame("kind-trial", "/play?game_type=trial");
        let name = if account_needed { "play-account" } else { "play" };
        add(name, &|| PlayPage { frame: frame.clone(), kind: "trial", account_needed }.render());
    }
    add("docs-trolley", &|| TrolleyPage { frame: frame("docs-trolley", "/docs/trolley") }.render());
    let base_url = "http://localhost:8080".to_owned();
    add("docs-agents", &|| {
        AgentsPage { frame: frame("bring-link", "/docs/agents"), base_url: base_url.clone() }.render()
    });
    let api = Api::read(&openapi());
    add("docs-api", &|| ApiPage { frame: frame("docs-api", "/docs/api"), api: api.clone() }.render());
    pages
}

fn openapi() -> serde_json::Value {
    serde_json::json!({
        "info": {"title": "Moot", "version": "0.1.0", "description": "One arena for argument games.\nJSON in and out."},
        "tags": [{"name": "games", "description": "Tables and what happens at them."}, {"name": "auth"}],
        "paths": {
            "/api/games": {
                "get": {"tags": ["games"], "summary": "List games", "parameters": [
                    {"name": "status", "in": "query", "schema": {"type": "string"}, "description": "Only games with this status."}],
                    "responses": {"200": {"description": "The games."}}},
                "post": {"tags": ["games"], "summary": "Create a game",
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewGame"}}}},
                    "responses": {"200": {"description": "Created."}, "400": {"description": "A wrong body."}}}},
            "/api/games/{game_id}/state": {"get": {"tags": ["games"], "summary": "What the caller may know now",
                "parameters": [{"name": "game_id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {"200": {"description": "The state.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/State"}}}}}}},
            "/api/auth/login": {"post": {"tags": ["auth"], "summary": "Sign in", "responses": {"200": {"description": "A token."}}}}
        },
        "components": {"schemas": {
            "NewGame": {"type": "object", "required": ["min_players"], "properties": {
                "min_players": {"type": "integer", "description": "From how many players on it may start."},
                "visibility": {"enum": ["public", "unlisted"]}}, "example": {"min_players": 3}},
            "State": {"type": "object", "properties": {"version": {"type": "integer"}, "operator": {"$ref": "#/components/schemas/Agent"}}},
            "Agent": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "display_name": {"type": ["string", "null"]}}}
        }}
    })
}

/// One turn in four versions, for trying the scripts: the page, after others have spoken, after a refusal, and after the player's turn.
fn live() -> Vec<(String, String)> {
    let number = 3;
    let play = five(false, number).start().argue(1);
    let seat = play.on_track(false);
    let table = |play: &Play| {
        let table = TrolleyBody::new(Words(Lang::En), play.view(Viewer::Seat(seat)), &play.entries, None);
        TrolleyBody { around: Around { sitters: play.sitters(), ..Around::default() }, ..table }
    };
    let frame = frame(Lang::En, "Live", "/games/x");
    let body = table(&play).render().expect("rendered");
    let page =
        TablePage { frame, styles: faces::of("trolley").look.styles, sells: false, body }.render().expect("rendered");
    let later = play.argue_others(seat);
    let fragment = table(&later).render().expect("rendered");
    let mut refused = table(&later);
    refused.around.again =
        refusal("INVALID_BODY", "text", "The field \"text\" has 501 characters.", &[("text", "kept words")]);
    let refused = refused.render().expect("rendered");
    let done = table(&later.argue(9)).render().expect("rendered");
    let names = ["live/page.html", "live/later.html", "live/refused.html", "live/done.html"];
    names.map(ToOwned::to_owned).into_iter().zip([page, fragment, refused, done]).collect()
}

fn gallery() -> Vec<(String, String)> {
    let mut pages = live();
    for (lang, code) in [(Lang::En, "en"), (Lang::Ko, "ko")] {
        pages.push((format!("{code}/lobby.html"), lobby(lang)));
        pages.push((format!("{code}/lobby-empty.html"), lobby_empty(lang)));
        let ko = lang == Lang::Ko;
        pages.push((format!("{code}/replay.html"), replay(lang, five(ko, 21).start().whole(), |_| None)));
        let middle = |play: &Play| Some(play.entries[play.entries.len() / 2].seq.0);
        pages.push((format!("{code}/replay-middle.html"), replay(lang, five(ko, 21).start().whole(), middle)));
        let many = many_names(24);
        let whole = Play::table(22, ko, 3, &names(&many), 1, Terms::default()).start().whole();
        pages.push((format!("{code}/replay-24.html"), replay(lang, whole, middle)));
        pages.extend(sheets(lang).into_iter().map(|(name, html)| (format!("{code}/{name}.html"), html)));
        pages.extend(trials(lang).into_iter().map(|(name, html)| (format!("{code}/trial-{name}.html"), html)));
        pages.extend(
            meetings::pages(lang).into_iter().map(|(name, html)| (format!("{code}/mercury-{name}.html"), html)),
        );
        pages.extend(
            tribunals::pages(lang).into_iter().map(|(name, html)| (format!("{code}/tribunal-{name}.html"), html)),
        );
        pages.extend(tables(lang).into_iter().map(|(name, html)| (format!("{code}/{name}.html"), html)));
    }
    pages
}

#[test]
fn every_page_is_written_light_and_well_formed() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut weights = std::collections::BTreeMap::new();
    fs::create_dir_all(Path::new(OUT).join("assets")).expect("a folder");
    for file in fs::read_dir(assets).expect("assets").flatten() {
        weights.insert(file.file_name().to_string_lossy().into_owned(), file.metadata().expect("a file").len());
        fs::copy(file.path(), Path::new(OUT).join("assets").join(file.file_name())).expect("copied");
    }
    for (name, html) in gallery() {
        write(&name, &html);
        // Every script imports fragment.js.
        let loaded = |asset: &&String| html.contains(&format!("/assets/{asset}")) || *asset == "fragment.js";
        let shared: u64 = weights.keys().filter(loaded).map(|asset| weights[asset]).sum();
        assert!(html.len() as u64 + shared < 100_000, "{name} weighs {} + {shared}", html.len());
        assert!(!html.contains(" style=") && !html.contains("<script>"), "{name} has something inline");
        assert!(!html.contains("Unknown localization"), "{name}");
        let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{name} has an id twice");
        for target in html.split(" for=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(ids.contains(&target), "{name}: label for {target}");
        }
    }
}

#[test]
fn both_languages_have_the_same_keys_and_every_key_in_use_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let keys = |code: &str| -> Vec<String> {
        let files = fs::read_dir(root.join(format!("locales/{code}"))).expect("a folder").flatten();
        let text: String = files.map(|file| fs::read_to_string(file.path()).expect("words") + "\n").collect();
        let mut keys: Vec<String> =
            text.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key.to_owned()).collect();
        assert!(!keys.is_empty());
        let all = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all, "a key stands twice in {code}");
        keys
    };
    let (en, ko) = (keys("en"), keys("ko"));
    let missing = |here: &[String], there: &[String]| -> Vec<String> {
        here.iter().filter(|key| !there.contains(key)).cloned().collect()
    };
    assert_eq!((missing(&en, &ko), missing(&ko, &en)), (vec![], vec![]), "in English only, in Korean only");
    for kind in games::catalog::KINDS {
        for key in ["kind", "kind-of", "kind-short", "lede"].map(|key| format!("{key}-{}", kind.meta.name)) {
            assert!(en.contains(&key), "a page shows {key}");
        }
    }
    let mut used = vec![];
    let mut begun = vec![];
    let mut sources = vec![];
    let mut folders = vec![root.join("templates"), root.join("src")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").flatten().map(|file| file.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                sources.push(fs::read_to_string(path).expect("text"));
            }
        }
    }
    for text in &sources {
        for call in ["w.t(\"", "w.t1(\"", "w.t2(\"", "w.n(\"", "w.n1(\"", "self.t(\"", "self.n(\"", "self.n1(\""] {
            used.extend(text.split(call).skip(1).filter_map(|rest| rest.split('"').next()).map(ToOwned::to_owned));
        }
        begun.extend(
            text.split("w.of(\"").skip(1).filter_map(|rest| rest.split('"').next()).map(|key| format!("{key}-")),
        );
    }
    let missing: Vec<_> = used.iter().filter(|key| !en.contains(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    // Keys made of a prefix and a word that comes from the state.
    let made = [
        "role-",
        "phase-",
        "kind-",
        "been-",
        "save-",
        "done-",
        "game-",
        "error-",
        "admin-about-",
        "admin-side-",
        "fresh-",
        "state-",
        "case-tab-",
        "ledger-",
        "ware-",
        "hint-argue-",
        "hint-opening-",
        "hint-argument-",
        "hint-rebuttal-",
        "hint-verdict-",
        "lede-",
        "tick-",
        "verdict-",
        "count-",
        "court-desc-",
        "status-found-",
        "board-s",
        "board-lost",
        "note-",
        "refused-",
        "status-s",
        "status-go-",
        "status-partner-",
        "hint-go-",
        "go-",
        "delegation-",
        "known-",
        "part-",
        "step-",
        "place",
        "paper-",
        "ballot-",
        "act-",
        "burden-",
        "favours-",
        "found-",
        "manner-",
        "mode-",
        "moved-",
        "ruled-",
        "stamp-",
        "status-a",
        "status-condemned",
        "status-hung",
        "admin-side-",
        "fresh-",
        "state-",
    ];
    let is_made =
        |key: &str| made.iter().any(|made| key.starts_with(made)) || begun.iter().any(|made| key.starts_with(made));
    let is_quoted = |key: &str| sources.iter().any(|text| text.contains(&format!("\"{key}\"")));
    let unused: Vec<_> = en.iter().filter(|key| !used.contains(key) && !is_made(key) && !is_quoted(key)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_picture_awaits_whom_the_rules_await() {
    let mut trying = Trying::table(false, 31, 6);
    let mut phases = std::collections::BTreeSet::new();
    while trying.game.status() != "end" {
        let view = trying.view(Viewer::Spectator);
        let awaited = moot::pages::trial::courtroom::awaited(&view);
        let expected = view.phase_submissions.total - view.phase_submissions.submitted;
        assert_eq!(awaited.len(), expected, "{} {}", view.phase, view.round);
        assert!(awaited.iter().all(|person| trying.is_awaited(&person.id)), "{} {}", view.phase, view.round);
        phases.insert(view.phase);
        trying = trying.speak(1);
    }
    assert_eq!(phases.len(), 5);
    assert!(moot::pages::trial::courtroom::awaited(&trying.view(Viewer::Spectator)).is_empty());
}
