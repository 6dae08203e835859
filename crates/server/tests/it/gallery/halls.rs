//! The public pages of a case, the authors and the moderators' panel; full and empty.

use super::plays::{NOW, many_names};
use super::{frame, refusal};
use askama::Template as _;
use commons::ledger::ware::Reason;
use engine::facts::Manner;
use engine::id::AccountId;
use engine::roster::Lang;
use engine::time::Timestamp;
use moot::corpus::treasury::Economy;
use moot::locale::Words;
use moot::pages::admin::{AdminPage, ReportRow};
use moot::pages::market::authors::AuthorsPage;
use moot::pages::market::public;
use moot::pages::market::thrones::{ChangeRow, CharacterTitles, ReignRow, ThronePage};
use moot::pages::market::{FlaggedRow, Worked};
use moot::pages::shared::frame::Frame;
use store::corpus::authors::Author;
use store::corpus::digests::{Best, Defender, Digest, Point, Vector};
use store::ledger::thrones::{Alias, Asset, Change, Title};
use store::ledger::{Flow, HOUSE, Posted, Transfer, TransferNo};

/// The moderators' page, with a grant that was refused.
pub fn admin(frame: Frame, reports: Vec<ReportRow>, flagged: Vec<FlaggedRow>) -> AdminPage {
    let flow = |reason| Flow { reason, transfers: 3, minted: 300, taken: 40 };
    let economy =
        Economy { flows: Reason::ALL.map(flow).to_vec(), minted: 3_900, taken: 520, circulation: 3_380, house: -3_380 };
    let draft = [("username", "nobody"), ("amount", "30"), ("note", "for the <first> week"), ("bonus", "yes")];
    AdminPage {
        frame,
        now: NOW,
        reports,
        flagged,
        flagged_next: Some(7),
        economy,
        transfers: vec![
            posted(12, Reason::Grant, false),
            posted(11, Reason::Award, true),
            posted(10, Reason::Reversal, false),
        ],
        charged: vec![("The <System>".into(), vec![("john_law/law".into(), "John <Law>".into())])],
        pack_size: 20,
        key: "01904f2a".into(),
        done: Some("granted"),
        again: refusal("USER_NOT_FOUND", "username", "There is no account called \"nobody\".", &draft),
    }
}

fn posted(n: i64, reason: Reason, taken_back: bool) -> Posted {
    let transfer = Transfer {
        n: TransferNo(n),
        payer: HOUSE,
        payee: AccountId(uuid::Uuid::nil()),
        amount: 30,
        bonus: 0,
        reason,
        reference: String::new(),
        key: n.to_string(),
        at: NOW,
    };
    Posted { transfer, payer: Alias::House, payee: Alias::Player("Hypatia of <Alexandria>".into()), taken_back }
}

const LABEL: &str = "what the <edict> did to whoever held the notes";

fn change(id: i64, asset: Asset, new: Alias) -> Change {
    Change {
        id,
        title: Title { case_id: "john_law".into(), character_id: "law".into(), asset, lineage: 1 },
        hash: "0".repeat(64),
        label: LABEL.into(),
        previous: Alias::Player("Hypatia of <Alexandria>".into()),
        new,
        challenger_hash: "1".repeat(64),
        challenger_label: "who signed it".into(),
        effectiveness_e4: 1_187,
        challenger_e4: 8_813,
        challenger_uses: 5,
        trigger_event_id: 1_204,
        at: Timestamp(NOW.0 - 90_000_000),
    }
}

fn throne(lang: Lang) -> [(&'static str, String); 2] {
    let w = Words(lang);
    let reign = |champion: Alias, taken: bool| ReignRow {
        label: LABEL.into(),
        number: "#3f2a".into(),
        mode: taken.then_some(Manner::Defend),
        percent: 71,
        worked: if taken { Worked::of(6, 8) } else { Worked::of(880, 1_240) },
        champion,
        since: Timestamp(NOW.0 - 900_000_000),
        taken,
    };
    let name = many_names(1).remove(0);
    let full =
        || vec![reign(Alias::Player(name.clone()), true), reign(Alias::House, false), reign(Alias::Deleted, false)];
    let page = |attacks: Vec<ReignRow>, defenses: Vec<ReignRow>, changes: Vec<Change>| ThronePage {
        frame: frame(lang, &w.t("throne-title"), "/case/john_law/throne"),
        now: NOW,
        case_id: "john_law".into(),
        case: "The Paper Kingdom".into(),
        characters: vec![CharacterTitles {
            name: "John Law".into(),
            parts: [(Asset::Attack, attacks), (Asset::Defense, defenses)],
        }],
        rule: "A title changes hands when an attack falls below 30%.".into(),
        later: !changes.is_empty(),
        next: changes.last().map(|change| change.id),
        changes: changes.into_iter().map(|change| ChangeRow::of(change, lang, 4)).collect(),
    };
    let changes = vec![change(2, Asset::Attack, Alias::Player(name.clone())), change(1, Asset::Defense, Alias::House)];
    let full = page(full(), full(), changes);
    let empty = page(vec![], vec![], vec![]);
    [("throne", full.render().expect("rendered")), ("throne-empty", empty.render().expect("rendered"))]
}

fn digest(step_days: u64) -> Digest {
    let vector = |uses| Vector { label: LABEL.into(), character_id: "law".into(), uses, taken: uses % 2 == 0 };
    let best = |e4| Best {
        label: LABEL.into(),
        character_id: "orleans".into(),
        effectiveness_e4: e4,
        uses: if e4 > 9_000 { 4 } else { 12 },
        worked: if e4 > 9_000 { 4 } else { 9 },
        taken: e4 > 8_000,
    };
    let point = |number: i64| Point {
        day: 20_000 + number * step_days as i64,
        uses: (number * 7 % 11) as u64,
        mean_e4: (number * 7 % 11 > 0).then_some(9_000 - number * 150),
    };
    Digest {
        trials: 12_408,
        uses: 61_730,
        vectors: (1..=10).map(vector).collect(),
        defenders: vec![Defender { character_id: "law".into(), defenses: 900, proved: 411 }],
        attacks: vec![best(9_100), best(6_250)],
        defenses: vec![best(8_800)],
        step_days,
        trend: (0..50).map(point).collect(),
    }
}

pub fn pages(lang: Lang) -> Vec<(&'static str, String)> {
    let w = Words(lang);
    let public = |digest| public::render("john_law", lang, digest, NOW).expect("rendered");
    let author = |alias: String| Author { alias, arguments: 12, uses: 340, lands: 120, royalties: 1_000, thrones: 2 };
    let rows = many_names(12).into_iter().enumerate().map(|(place, name)| (place + 1, author(name))).collect();
    let authors = AuthorsPage {
        frame: frame(lang, &w.t("authors-title"), "/authors"),
        rows,
        cases: vec![("john_law".into(), "The Paper Kingdom: John Law and the <Mississippi> Company".into())],
        later: true,
        next: Some(50),
    };
    let [full, empty] = throne(lang);
    vec![
        full,
        empty,
        ("archive-public", public(digest(1))),
        ("archive-public-weeks", public(digest(7))),
        ("archive-public-empty", public(Digest::default())),
        ("authors", authors.render().expect("rendered")),
    ]
}
