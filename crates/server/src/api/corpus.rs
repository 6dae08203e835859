//! The corpus for programs: what outside games report, and the defenses against an argument.

use super::games::number;
use crate::api::market::{thousandths, usual_label};
use crate::corpus::dockets::character;
use crate::http::auth::Caller;
use crate::http::extract::{Json, Key, Query, cut, json_bytes};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use commons::corpus::hash::ArgHash;
use commons::corpus::lesson::{Defense, Effect, Text};
use commons::corpus::stats::{CaseId, CharacterId, EventRefusal, ID_LEN_MAX, JuryShift, Use};
use commons::ledger::reading::Sight;
use engine::chain::Hash;
use engine::facts::{Fate, Manner, Side};
use engine::parts::text;
use engine::roster::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::StoreError;
use store::corpus::defenses::{self, Given, Wanted};
use store::corpus::outside::{self, Report, Reported, Taken, Words};
use store::games::answers::Once;
use store::ledger::owned;
use utoipa::ToSchema;

/// Longest text of an outside game.
const OUTSIDE_TEXT_LEN_MAX: usize = 2_000;
/// Longest citation of what a defense rests on.
const CITED_LEN_MAX: usize = 255;
/// Most defenses in one answer.
const DEFENCES_MAX: usize = 100;

/// One use of an argument in a game elsewhere.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ArgumentEvent {
    /// The argument's name: SHA-256 of its normalised text, 64 hex digits.
    arg_hash: String,
    /// The trial, as your game calls it.
    trial_id: String,
    /// Who used it, as your game calls them.
    player_id: String,
    /// The id of the case, as on the docket.
    case_id: String,
    /// Whom it was used against.
    target_character: String,
    /// Jurors moved, -12 to 12; 0 if not given.
    #[serde(default)]
    jury_shift: Option<i64>,
    /// Whether it forced an extraordinary claim.
    #[serde(default)]
    triggered_extraordinary: Option<bool>,
    /// What became of that: `proved`, `withdrawn`, `failed` or null.
    #[serde(default)]
    burden_verdict: Option<String>,
    /// What the player gained or lost by it.
    #[serde(default)]
    ia_change: Option<i32>,
    /// The words themselves, if they may be new here.
    #[serde(default)]
    text: Option<String>,
}

/// One defense in a game elsewhere.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct DefenseEvent {
    /// The defense's name: SHA-256 of its normalised text, 64 hex digits.
    defense_hash: String,
    /// The argument it met, which must be known here.
    argument_hash: String,
    /// The id of the case, as on the docket.
    case_id: String,
    /// The id of the character who gave it.
    character_id: String,
    /// `prove`, `withdraw` or `defend`.
    mode: String,
    /// The words themselves, if they may be new here.
    #[serde(default)]
    full_text: Option<String>,
    /// `proved`, `withdrawn` or `failed`.
    outcome: String,
    /// The trial, as your game calls it.
    trial_id: String,
    /// Whose it is, as your game calls them; null for AI.
    #[serde(default)]
    author_id: Option<String>,
    /// What it rests on; up to 255 characters.
    #[serde(default)]
    cited_evidence: Option<String>,
}

/// Report that an argument was used in a game elsewhere. It is kept once per `Idempotency-Key`; without one, once per content.
#[utoipa::path(post, path = "/api/argument-event", tag = "corpus", request_body = ArgumentEvent,
    responses((status = 201, description = "`{event_id, arg_hash, counted}`; `counted` is false unless the operator trusts the key"), (status = 400), (status = 403, description = "The key has not the scope `corpus`"), (status = 409, description = "The idempotency key was used for something else")))]
pub async fn argument_event(
    State(house): State<House>,
    caller: Caller,
    key: Key,
    Json(body): Json<ArgumentEvent>,
) -> Answer<Response> {
    let counted = caller.reporter()?.trusted;
    let used = Use {
        jury_shift: JuryShift::new(body.jury_shift.unwrap_or(0)).map_err(|wrong| refused("jury_shift", &wrong))?,
        triggered: body.triggered_extraordinary.unwrap_or(false),
        verdict: body.burden_verdict.as_deref().map(|word| verdict("burden_verdict", word)).transpose()?,
        ia_change: body.ia_change.unwrap_or(0),
        at: house.now(),
    };
    used.check().map_err(|wrong| refused("burden_verdict", &wrong))?;
    let case_id = case(&body.case_id)?;
    let target = who("target_character", &body.target_character)?;
    let words = Words {
        hash: hash("arg_hash", &body.arg_hash)?,
        text: words(&house, ("text", body.text.as_deref()), ("arg_hash", &body.arg_hash), counted)?,
        label: label(Side::Attack, &case_id, &target),
    };
    let effect = Effect {
        jury_shift: used.jury_shift.jurors() as i32,
        triggered: used.triggered,
        verdict: used.verdict,
        ia_change: used.ia_change,
    };
    let player_id = id("player_id", &body.player_id)?;
    let trial_id = id("trial_id", &body.trial_id)?;
    let said = json!([
        words.hash.to_string(),
        trial_id,
        player_id,
        case_id.as_str(),
        target.as_str(),
        effect.jury_shift,
        effect.triggered,
        effect.verdict.map(Fate::word),
        effect.ia_change,
    ]);
    let once = once(key, &caller, "/api/argument-event", &json!(body), &said)?;
    let reported = Reported::Used { words, player_id, effect };
    let report = Report { key: caller.reporter()?.id, counted, trial_id, case_id, character: target, at: used.at };
    take(&house, report, reported, once, "arg_hash", body.arg_hash).await
}

/// Report a defense that was given in a game elsewhere. It is kept once per `Idempotency-Key`; without one, once per content.
#[utoipa::path(post, path = "/api/defense-event", tag = "corpus", request_body = DefenseEvent,
    responses((status = 201, description = "`{event_id, defense_hash, counted}`; `counted` is false unless the operator trusts the key"), (status = 400), (status = 403, description = "The key has not the scope `corpus`"), (status = 409, description = "The idempotency key was used for something else")))]
pub async fn defense_event(
    State(house): State<House>,
    caller: Caller,
    key: Key,
    Json(body): Json<DefenseEvent>,
) -> Answer<Response> {
    let counted = caller.reporter()?.trusted;
    let case_id = case(&body.case_id)?;
    let character = who("character_id", &body.character_id)?;
    let mode = Manner::ALL.into_iter().find(|mode| mode.word() == body.mode);
    let mode = mode.ok_or_else(|| one_of("mode", Manner::ALL.map(Manner::word)))?;
    let cited = body.cited_evidence.as_deref().filter(|cited| !cited.is_empty());
    let cited = cited.map(|cited| line("cited_evidence", cited, CITED_LEN_MAX)).transpose()?;
    let defense = Defense {
        mode,
        outcome: verdict("outcome", &body.outcome)?,
        claim: String::new(),
        cited: cited.into_iter().collect(),
        angle: None,
        inspired_by: None,
    };
    let words = Words {
        hash: hash("defense_hash", &body.defense_hash)?,
        text: words(&house, ("full_text", body.full_text.as_deref()), ("defense_hash", &body.defense_hash), counted)?,
        label: label(Side::Defense, &case_id, &character),
    };
    let author_id = body.author_id.as_deref().map(|author| id("author_id", author)).transpose()?;
    let trial_id = id("trial_id", &body.trial_id)?;
    let attack = hash("argument_hash", &body.argument_hash)?;
    let said = json!([
        words.hash.to_string(),
        attack.to_string(),
        trial_id,
        author_id,
        case_id.as_str(),
        character.as_str(),
        defense.mode.word(),
        defense.outcome.word(),
        defense.cited,
    ]);
    let once = once(key, &caller, "/api/defense-event", &json!(body), &said)?;
    let reported = Reported::Defended { attack, words, defense, author_id };
    let report = Report { key: caller.reporter()?.id, counted, trial_id, case_id, character, at: house.now() };
    take(&house, report, reported, once, "defense_hash", body.defense_hash).await
}

/// What keeps a report from being taken in twice: its `Idempotency-Key`, or else its whole content, by API key. A game that reports two
/// events with the same content has to give them keys.
fn once(key: Key, caller: &Caller, path: &str, body: &Value, said: &Value) -> Answer<Once> {
    let reporter = caller.reporter()?.id;
    Ok(key.once(caller, path, body).unwrap_or_else(|| {
        let request = Hash::of(format!("{path}\n{said}").as_bytes());
        // No header can hold a line break, so no caller can send this key.
        Once { caller: caller.fingerprint(), key: format!("{reporter}\n{request}"), request: request.0 }
    }))
}

async fn take(
    house: &House,
    report: Report,
    reported: Reported,
    once: Once,
    named: &'static str,
    hash: String,
) -> Answer<Response> {
    let counted = report.counted;
    let answer =
        move |id: i64| json!({"event_id": id, named: hash.to_lowercase(), "counted": counted}).to_string().into_bytes();
    let made = answer.clone();
    let taken = house.store.write(move |db| outside::take(db, &report, &reported, &once, made)).await?;
    house.unchecked.notify_one();
    let body = match taken {
        Taken::Kept(id) => answer(id),
        Taken::Before(answer) => answer,
        Taken::KeyReused => return Err(Problem::key_reused()),
        Taken::Unknown(hash) => {
            let detail = format!("No words of the name {hash} are known here; send them along once.");
            return Err(Problem::bad("UNKNOWN_HASH", detail));
        }
    };
    Ok((StatusCode::CREATED, json_bytes(body.into())).into_response())
}

fn invalid(detail: String) -> Problem {
    Problem::bad("INVALID_BODY", detail)
}

fn refused(field: &str, wrong: &EventRefusal) -> Problem {
    invalid(format!("The field \"{field}\" is wrong. {wrong}"))
}

fn line(field: &str, value: &str, len_max: usize) -> Answer<String> {
    text::checked_line(field, value, 1..=len_max).map_err(invalid)
}

fn id(field: &str, value: &str) -> Answer<String> {
    line(field, value, ID_LEN_MAX)
}

fn case(value: &str) -> Answer<CaseId> {
    CaseId::new(id("case_id", value)?).map_err(|wrong| refused("case_id", &wrong))
}

fn who(field: &str, value: &str) -> Answer<CharacterId> {
    CharacterId::new(id(field, value)?).map_err(|wrong| refused(field, &wrong))
}

fn hash(field: &str, value: &str) -> Answer<ArgHash> {
    value.parse().map_err(|wrong| invalid(format!("The field \"{field}\" is wrong. {wrong}")))
}

fn one_of(field: &str, words: [&str; 3]) -> Problem {
    invalid(format!("The field \"{field}\" must be one of: {}.", words.join(", ")))
}

fn verdict(field: &str, word: &str) -> Answer<Fate> {
    let found = Fate::ALL.into_iter().find(|burden| burden.word() == word);
    found.ok_or_else(|| one_of(field, Fate::ALL.map(Fate::word)))
}

/// The words that came along, if their hash is the one given. Words from a key that is not trusted are kept for statistics alone: they are
/// never listed, reach no prompt, and start no lineage.
fn words(
    house: &House,
    (field, given): (&str, Option<&str>),
    (named, name): (&str, &str),
    trusted: bool,
) -> Answer<Option<Text>> {
    let Some(given) = given else { return Ok(None) };
    let words = text::checked(field, given, 1..=OUTSIDE_TEXT_LEN_MAX).map_err(invalid)?;
    let read = if trusted { Text::of(&words) } else { Text::counted(&words) };
    let mut read = read.ok_or_else(|| invalid(format!("The field \"{field}\" has no words.")))?;
    if house.settings.moderation_url.is_some() {
        read.hold();
    }
    if read.hash != hash(named, name)? {
        let detail = format!("\"{named}\" is not the hash of \"{field}\"; that would be {}.", read.hash);
        return Err(Problem::bad("HASH_MISMATCH", detail));
    }
    Ok(Some(read))
}

/// A few neutral words of our own: what an outside game calls its people is shown to nobody.
fn label(side: Side, case: &CaseId, who: &CharacterId) -> String {
    let name = character(Lang::En, case.as_str(), who.as_str()).map(|known| known.name.as_str());
    match (side, name) {
        (Side::Attack, Some(name)) => usual_label(Lang::En, name),
        (Side::Attack, None) => "an argument from elsewhere".to_owned(),
        (Side::Defense, Some(name)) => cut(&format!("a defense of {name}")),
        (Side::Defense, None) => "a defense from elsewhere".to_owned(),
    }
}

#[derive(Deserialize)]
pub struct DefensesQuery {
    arg_hash: Option<String>,
    character_id: Option<String>,
    outcome: Option<String>,
    limit: Option<String>,
}

/// Defenses against an argument and its near-duplicates, newest first: how they went and how well they do. The words of a defense are shown
/// to its author and to accounts that have unlocked it.
#[utoipa::path(get, path = "/api/defense-corpus", tag = "corpus",
    params(("arg_hash" = Option<String>, Query, description = "Only against this argument"),
        ("character_id" = Option<String>, Query, description = "Only by this character"),
        ("outcome" = Option<String>, Query, description = "`proved`, `withdrawn` or `failed`"),
        ("limit" = Option<u32>, Query, description = "1 to 100")),
    responses((status = 200, description = "`{defenses: [{defense_hash, argument_hash, case_id, character_id, mode, outcome, label, uses, proved, effectiveness, external, created_at, full_text, cited_evidence, trial_id}]}`; `full_text` and `cited_evidence` are null unless the words are yours or unlocked, `trial_id` unless they are yours"), (status = 400), (status = 401)))]
pub async fn defense_corpus(
    State(house): State<House>,
    caller: Caller,
    Query(query): Query<DefensesQuery>,
) -> Answer<axum::Json<Value>> {
    let admin = caller.account()?.is_admin;
    let wrong = |detail: String| Problem::bad("INVALID_QUERY", detail);
    let attack = query.arg_hash.as_deref().map(str::parse).transpose();
    let attack = attack.map_err(|error| wrong(format!("\"arg_hash\" is wrong. {error}")))?;
    let character = query.character_id.as_deref();
    let character = character.map(|id| text::checked_line("character_id", id, 1..=ID_LEN_MAX)).transpose();
    let outcome = query.outcome.as_deref();
    let outcome = outcome.map(|word| Fate::ALL.into_iter().find(|burden| burden.word() == word).ok_or(word));
    let outcome = outcome.transpose().map_err(|word| {
        wrong(format!("\"outcome\" must be one of: {}; not {:?}.", Fate::ALL.map(Fate::word).join(", "), cut(word)))
    })?;
    let wanted = Wanted {
        attack,
        character: character.map_err(wrong)?,
        outcome,
        uncounted: admin,
        limit: number("limit", query.limit.as_deref(), 1..=DEFENCES_MAX)?.unwrap_or(20),
    };
    let account = caller.account_id();
    let found = house.store.read(move |db| {
        let given = defenses::given(db, &wanted)?;
        let sight = |given: &Given| -> Result<Sight, StoreError> {
            let Some(account) = account else { return Ok(Sight::Figures) };
            let may_read = owned::words(db, account, &given.defense_hash)?.is_some();
            Ok(Sight::of(may_read, given.speaker == Some(account), admin))
        };
        given.into_iter().map(|given| Ok((sight(&given)?, given))).collect::<Result<Vec<_>, StoreError>>()
    });
    let found = found.await?;
    let defenses: Vec<Value> = found.iter().map(|(sight, given)| told(*sight, given)).collect();
    Ok(axum::Json(json!({"defenses": defenses})))
}

fn told(sight: Sight, given: &Given) -> Value {
    let mut told = json!({
        "defense_hash": given.defense_hash, "argument_hash": given.argument_hash, "case_id": given.case_id,
        "character_id": given.character_id, "mode": given.mode, "outcome": given.outcome.word(), "label": given.label,
        "uses": given.uses, "proved": given.proved, "effectiveness": thousandths(given.effectiveness_e4),
        "external": given.external, "counted": given.counted, "created_at": given.created_at.to_string(),
        "full_text": null, "cited_evidence": null, "trial_id": null,
    });
    if sight != Sight::Figures {
        told["full_text"] =
            Some(&given.full_text).filter(|text| !text.is_empty()).map_or(Value::Null, |text| json!(text));
        told["cited_evidence"] = json!(given.cited_evidence);
    }
    if sight == Sight::Everything {
        told["trial_id"] = json!(given.trial_id);
    }
    told
}
