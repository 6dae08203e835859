//! The helper of a meeting: a model's opinion on how the last message moves stances. Off unless the table wants it. Nobody waits for it:
//! it comes as the clock's act whenever it comes, and the rules ignore what is late, invalid or out of bounds.

use super::guard::object;
use super::model::Running;
use super::prompt::{Prompt, fenced, file};
use crate::play;
use crate::play::House;
use crate::play::live::{HEARD_MAX, Shown, Table};
use crate::problem::Answer;
use crate::settings::minds::Choice;
use engine::game::{Game, Logged};
use engine::rules::Actor;
use games::mercury::{Mercury, helper_input};
use serde_json::Value;
use std::sync::Arc;

/// Asks the helper about what was just said, if this table has one.
pub fn ask(house: &House, table: &Arc<Table>, rows: &[Logged]) {
    // As it stands now: by the time anybody comes to it, somebody else may have spoken.
    let shown = table.shown();
    let wanted =
        rows.iter().any(|row| matches!(row.name, "talk" | "debate")) && meeting(&shown).is_some_and(|wants| wants);
    if wanted {
        let (house, table) = (house.clone(), table.clone());
        tokio::spawn(async move {
            if let Err(problem) = answer(&house, &table, &shown).await {
                tracing::warn!(game = %table.id, detail = problem.detail, "the helper is not heard");
            }
        });
    }
}

/// Whether this is a meeting, and one that wants a helper.
fn meeting(shown: &Shown) -> Option<bool> {
    let meeting = shown.game.as_any().downcast_ref::<Game<Mercury>>()?;
    meeting.state().map(|state| state.helper)
}

async fn answer(house: &House, table: &Arc<Table>, shown: &Shown) -> Answer<()> {
    let said = table.said(house, shown, HEARD_MAX).await?;
    let meeting = shown.game.as_any().downcast_ref::<Game<Mercury>>();
    let input = meeting.and_then(|meeting| helper_input(meeting.state()?, &said));
    let minds = &house.settings.minds;
    // What plays the table's AI seats if single ones have nothing of their own.
    let chosen = shown.game.terms().mind.as_deref().and_then(|text| text.parse().ok());
    let chosen = chosen.filter(|choice| minds.allows(choice)).unwrap_or_else(|| minds.preferred.clone());
    let (Some(input), Choice::Model(model)) = (input, &chosen) else { return Ok(()) };
    let (version, rules) = file("mercury/helper.md");
    let prompt = Prompt {
        version: format!("mercury-helper-{version}"),
        rules,
        brief: String::new(),
        recalled: String::new(),
        turn: fenced("input", &input),
        refused: vec![],
    };
    let mut running = match Running::begin_helper(house, table, shown, model, prompt).await? {
        Ok(running) => running,
        // Whatever is missing, the game goes on as if there were no helper.
        Err(_) => return Ok(()),
    };
    let reply = running.listen().await;
    let result = reply.ok().and_then(|text| object(&text));
    let failed = if result.is_none() { Some(("AI_REJECTED", "No usable opinion.")) } else { None };
    running.end(failed).await?;
    let Some(mut act) = result else { return Ok(()) };
    act.insert("type".into(), "HELPER_RESULT".into());
    for field in ["role_id", "message"] {
        act.insert(field.into(), input[field].clone());
    }
    let act = Value::Object(act);
    let told = play::change(house, table, None, |game, now| Ok((play::act(game, Actor::Clock, &act, now)?, ())));
    told.await.map(drop)
}
