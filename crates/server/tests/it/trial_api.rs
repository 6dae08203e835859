//! A trial over HTTP: six accounts, every channel, and a vote that is nowhere to be read before the third is in.

use crate::streams::{Events, hear, socket};
use crate::world::{Api, Game, Program, TempDir, World, account, create, text};
use serde_json::{Value, json};
use std::net::SocketAddr;

/// A trial with six accounts in its seats.
struct Court {
    game: Game,
    /// By seat.
    people: Vec<Api>,
    host: Api,
}

impl Court {
    async fn open(api: &Api, options: Value) -> Court {
        let mut people = Vec::new();
        for name in ["ada", "bram", "cleo", "dov", "esme", "finn"] {
            people.push(account(api, name).await);
        }
        let host = people[0].clone();
        let mut asked = json!({"game_type": "trial"});
        asked.as_object_mut().expect("an object").extend(options.as_object().expect("an object").clone());
        let mut game = create(&host, &asked).await;
        for (person, name) in people.iter().zip(["Ada", "Bram", "Cleo", "Dov", "Esme", "Finn"]) {
            let seated = person.post(&game.path("/agents/register"), &json!({"display_name": name})).await.ok();
            game.agents.push(text(&seated["agent_id"]).to_owned());
        }
        Court { game, people, host }
    }

    /// Another trial of the same six.
    async fn again(other: &Court) -> Court {
        let mut game = create(&other.host, &json!({"game_type": "trial"})).await;
        for person in &other.people {
            let seated = person.post(&game.path("/agents/register"), &json!({"display_name": "Again"})).await.ok();
            game.agents.push(text(&seated["agent_id"]).to_owned());
        }
        Court { game, people: other.people.clone(), host: other.host.clone() }
    }

    async fn state(&self) -> Value {
        self.game.state(&self.host).await
    }

    async fn act(&self, seat: usize, body: &Value) -> crate::world::Reply {
        self.people[seat].post(&self.game.path("/action"), body).await
    }

    /// Everyone awaited says something; returns the state after it.
    async fn round(&self) -> Value {
        for (seat, person) in self.people.iter().enumerate() {
            let state = self.game.state(person).await;
            if state["allowed_actions"] == json!(["speak"]) {
                let said = json!({"type": "speak", "text": format!("Words of seat {seat} in {}.", state["phase"])});
                self.act(seat, &said).await.ok();
            }
        }
        self.state().await
    }

    async fn to_the_vote(&self) -> Vec<usize> {
        for _ in 0..5 {
            self.round().await;
        }
        let state = self.state().await;
        assert_eq!(state["phase"], "jury_vote");
        self.seats("JUROR").await
    }

    async fn seats(&self, role: &str) -> Vec<usize> {
        let state = self.state().await;
        let all = state["participants"].as_array().expect("a list").iter().enumerate();
        all.filter(|(_, one)| one["role"] == role).map(|(seat, _)| seat).collect()
    }
}

fn vote(verdict: &str) -> Value {
    json!({"type": "vote", "verdict": verdict})
}

#[tokio::test]
async fn a_table_with_a_chosen_level_is_practice_and_a_wrong_level_is_refused() {
    let world = World::open().await;
    let host = account(&world.api, "ada").await;
    let made = host.post("/api/games", &json!({"game_type": "trial", "level": "expert"})).await.ok();
    let state = host.get(&format!("/api/games/{}", text(&made["game_id"]))).await.ok();
    assert_eq!(state["practice"], true);
    let refused = host.post("/api/games", &json!({"game_type": "trial", "level": "godlike"})).await;
    refused.says(400, "The field \"level\" must be novice, usual or expert.");
}

#[tokio::test]
async fn six_clients_play_a_whole_trial() {
    let world = World::open().await;
    let court = Court::open(&world.api, json!({"case_id": "case_001"})).await;
    let state = court.state().await;
    assert_eq!((&state["gameType"], &state["gameStatus"]), (&json!("trial"), &json!("running")), "it starts by itself");
    let mut seen = vec![];
    for _ in 0..5 {
        let state = court.state().await;
        seen.push(json!([state["phase"], state["round"], state["phase_submissions"]]));
        court.round().await;
    }
    let none = |total: u32| json!({"submitted": 0, "total": total});
    let expected = [("opening", 0, 6), ("argument", 1, 6), ("argument", 2, 6), ("argument", 3, 6), ("rebuttal", 0, 2)];
    assert_eq!(json!(seen), json!(expected.map(|(phase, round, total)| json!([phase, round, none(total)]))));
    let jury = court.seats("JUROR").await;
    for (juror, verdict) in jury.iter().zip(["NOT_GUILTY", "GUILTY", "NOT_GUILTY"]) {
        let answer = court.act(*juror, &vote(verdict)).await.ok();
        assert_eq!(answer["success"], true);
        assert!(answer["message"].is_string());
    }
    let judge = court.seats("JUDGE").await[0];
    court.act(judge, &json!({"type": "speak", "text": "Not guilty, by two to one."})).await.ok();
    let end = court.game.state(&court.people[judge]).await;
    assert_eq!((&end["phase"], &end["gameStatus"]), (&json!("end"), &json!("finished")));
    assert_eq!(end["result"], json!({"points": 100, "verdict": "NOT_GUILTY", "winner_team": "DEFENSE"}));
    for field in ["maxRounds", "case", "self", "participants", "history", "expected_action", "action_instruction"] {
        assert!(end.get(field).is_some(), "{field}");
    }
    let result = world.api.get(&court.game.path("/result")).await.ok();
    assert!(result.to_string().contains("NOT_GUILTY"), "{result}");
    let verified = world.house.store.durability().await;
    assert!(verified.is_ok());
}

#[tokio::test]
async fn out_of_role_is_a_pass_the_wrong_act_says_what_is_expected_and_twice_is_already_acted() {
    let world = World::open().await;
    let court = Court::open(&world.api, json!({})).await;
    let judge = court.seats("JUDGE").await[0];
    let wrong = court.act(judge, &vote("GUILTY")).await.no(400);
    assert_eq!((&wrong["expected_action"], &wrong["error"]), (&json!("speak"), &json!("WRONG_ACTION")));
    assert_eq!(wrong["hint"]["type"], "speak");
    let long = court.act(judge, &json!({"type": "speak", "text": "판".repeat(201)})).await.no(400);
    assert!(text(&long["detail"]).contains("has 201 characters; at most 200"), "{long}");
    court.act(judge, &json!({"type": "speak", "text": "판".repeat(200)})).await.ok();
    let twice = court.act(judge, &json!({"type": "speak", "text": "Again."})).await.no(400);
    assert_eq!(twice["error"], "ALREADY_ACTED");

    court.to_the_vote().await;
    let before = world.digest();
    let pass = court.act(judge, &vote("GUILTY")).await.ok();
    assert_eq!((&pass["success"], &pass["result"]), (&json!(true), &json!("pass")));
    assert_eq!(world.digest(), before, "a pass leaves no trace");
    // Asked once under a key, it stays a pass, whatever is awaited when it is asked again.
    let once = court.people[judge].once("a pass");
    let said = json!({"type": "speak", "text": "So the jury found."});
    let first = once.post(&court.game.path("/action"), &said).await.ok();
    let jury = court.seats("JUROR").await;
    for juror in jury {
        court.act(juror, &vote("GUILTY")).await.ok();
    }
    assert_eq!(once.post(&court.game.path("/action"), &said).await.ok(), first);
    assert_eq!(court.state().await["phase"], "verdict", "and does not become the verdict");
    let court = Court::again(&court).await;
    court.to_the_vote().await;
    let judge = court.seats("JUDGE").await[0];
    let state = court.game.state(&court.people[judge]).await;
    assert_eq!((&state["expected_action"], &state["allowed_actions"]), (&json!("pass"), &json!([])));
}

#[tokio::test]
async fn seats_need_an_account_and_nobody_starts_a_trial_by_hand() {
    let world = World::open().await;
    let host = world.account("host").await;
    let game = create(&host, &json!({"game_type": "trial"})).await;
    let sit = json!({"display_name": "Nobody", "token": "a long enough token".replace(' ', "-")});
    let refused = world.api.post(&game.path("/agents/register"), &sit).await;
    assert!((400..=401).contains(&refused.status), "{}", refused.text);
    assert_eq!(refused.json()["error"], "ACCOUNT_NEEDED");
    let early = host.post_nothing(&game.path("/start")).await.no(400);
    assert_eq!(early["error"], "STARTS_WHEN_FULL");
    host.post(&game.path("/agents/register"), &json!({"display_name": "Host"})).await.ok();
    host.post_nothing(&game.path("/leave")).await.ok();
    host.post(&game.path("/agents/register"), &json!({"display_name": "Host again"})).await.ok();
    host.post_nothing(&game.path("/fill")).await.ok();
    assert_eq!(game.state(&host).await["gameStatus"], "running");
}

#[tokio::test]
async fn a_stalled_seat_is_handed_to_a_house_mind_and_the_trial_goes_on() {
    let world = World::open().await;
    let court = Court::open(&world.api, json!({})).await;
    // Everyone but the last one speaks, in every round, to the end.
    let stalled = 5;
    court.host.post_nothing(&court.game.path(&format!("/seats/{}/hand", court.game.agents[stalled]))).await.ok();
    for _ in 0..400 {
        let state = court.state().await;
        if state["gameStatus"] == "finished" {
            assert_eq!(state["participants"][stalled]["house"], true);
            return;
        }
        let mut acted = false;
        for seat in 0..stalled {
            let state = court.game.state(&court.people[seat]).await;
            let body = match state["expected_action"].as_str() {
                Some("speak") => json!({"type": "speak", "text": "I am here."}),
                Some("vote") => vote("GUILTY"),
                _ => continue,
            };
            court.act(seat, &body).await.ok();
            acted = true;
        }
        if !acted {
            // The house mind's act is the next version.
            court.host.get(&court.game.path(&format!("/state?version={}&wait=30", state["version"]))).await.ok();
        }
    }
    panic!("the trial did not end: {}", court.state().await);
}

/// Everything that anybody can read, without what necessarily differs between two servers.
async fn channels(api: &Api, address: SocketAddr, court: &Court, journal: &str) -> Vec<(String, String)> {
    let mut found = vec![("log".to_owned(), journal.to_owned())];
    let version = court.state().await["version"].as_u64().expect("a number");
    let paths = ["/state", "/feed", "/scoreboard", "/history", "/transcript", "/events", "/result", ""];
    let viewers = [("spectator", api)].into_iter().map(|(name, api)| (name.to_owned(), api));
    let seats = court.people.iter().enumerate().map(|(seat, person)| (format!("seat {seat}"), person));
    for (name, viewer) in viewers.chain(seats) {
        for path in paths {
            found.push((format!("{name} {path}"), viewer.get(&court.game.path(path)).await.text));
        }
        for agent in &court.game.agents {
            let path = court.game.path(&format!("/open-actions?agent_id={agent}"));
            found.push((format!("{name} open actions"), viewer.get(&path).await.text));
        }
        let told = Events::open(viewer, &court.game, "?since=0").await.until(version).await;
        found.push((format!("{name} stream"), told.into_iter().map(|told| told.data + "\n").collect()));
        for page in ["", "/fragment", "/replay", "/replay/fragment", &format!("/replay?at={version}")] {
            let page = format!("/games/{}{page}", court.game.id);
            let html = viewer.get(&page).await;
            assert_eq!(html.status, 200, "{name} {page}: {}", html.text);
            found.push((format!("{name} {page}"), html.text));
        }
    }
    let mut listening = socket(address, &court.game, "?since=0").await.expect("it opens");
    found.push(("socket".into(), hear(&mut listening, version as usize).await.join("\n")));
    found.push(("lobby".into(), api.get("/").await.text));
    found.push(("list".into(), api.get("/api/games").await.text));
    found.into_iter().map(|(name, bytes)| (plain(&name, &court.game, api), plain(&bytes, &court.game, api))).collect()
}

/// The same text with placeholders for the game's id, the server's address and every time.
pub fn plain(bytes: &str, game: &Game, api: &Api) -> String {
    let tail = &game.id[24..];
    let mut plain = bytes.replace(&game.id, "GAME").replace(tail, "TAIL").replace(api.base(), "BASE");
    let mut at = 0;
    while let Some(found) = plain[at..].find("T").map(|found| at + found) {
        let date = found.checked_sub(10).and_then(|start| plain.get(start..found)).is_some_and(|date| {
            date.bytes()
                .enumerate()
                .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
        });
        match plain[found..].find('Z') {
            Some(end) if date && end <= 14 => {
                plain.replace_range(found - 10..=found + end, "TIME");
                at = found - 6;
            }
            _ => at = found + 1,
        }
    }
    plain
}

#[tokio::test(flavor = "multi_thread")]
async fn no_channel_carries_a_vote_before_the_third_is_in() {
    let mut worlds = Vec::new();
    for verdict in ["GUILTY", "NOT_GUILTY"] {
        let dir = TempDir::new();
        let server = Program::serve(dir.path(), &[]);
        let court = Court::open(&server.api, json!({"seed": "the same", "case_id": "case_006"})).await;
        let jury = court.to_the_vote().await;
        court.act(jury[0], &vote(verdict)).await.ok();
        worlds.push((dir, server, court, jury));
    }
    for votes in [1, 2, 3] {
        let mut both = Vec::new();
        for (_, server, court, jury) in &worlds {
            if votes > 1 {
                // The second says guilty and the third not, so the first decides the majority.
                court.act(jury[votes - 1], &vote(if votes == 2 { "GUILTY" } else { "NOT_GUILTY" })).await.ok();
            }
            both.push(channels(&server.api, server.address, court, &server.journal()).await);
        }
        let (ours, theirs) = (&both[0], &both[1]);
        assert_eq!(ours.len(), theirs.len());
        let differ = ours.iter().zip(theirs).filter(|(ours, theirs)| ours != theirs).count();
        if votes == 3 {
            assert!(differ > ours.len() / 3, "after the count the two worlds are told apart: {differ}");
            continue;
        }
        for ((name, ours), (_, theirs)) in ours.iter().zip(theirs) {
            assert_eq!(ours, theirs, "{name} after {votes} votes");
        }
    }
}
