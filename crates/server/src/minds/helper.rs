//! An adviser of the house: a model's opinion on what was just said. Off unless the kind and the table want it. Nobody waits for it: it
//! comes as the clock's act whenever it is ready, and the rules ignore what is late, invalid or out of bounds.

use super::guard::object;
use super::model::Running;
use super::prompt::{Prompt, fenced, file};
use crate::play::live::{HEARD_MAX, Shown, Table};
use crate::play::{self, House};
use crate::problem::Answer;
use crate::settings::minds::Choice;
use engine::game::Logged;
use engine::rules::{Actor, Advice};
use serde_json::Value;
use std::sync::Arc;

/// Asks the adviser about what was just said, if this table has one.
pub fn ask(house: &House, table: &Arc<Table>, rows: &[Logged]) {
    let said = rows.iter().any(|row| row.line.as_ref().is_some_and(|line| line.text.is_some()));
    // As it stands now: by the time the task runs, there may be another speech.
    let shown = table.shown();
    if said && shown.game.wants_advice() {
        let (house, table) = (house.clone(), table.clone());
        tokio::spawn(async move {
            if let Err(problem) = answer(&house, &table, &shown).await {
                tracing::warn!(game = %table.id, detail = problem.detail, "the adviser's opinion could not be used");
            }
        });
    }
}

async fn answer(house: &House, table: &Arc<Table>, shown: &Shown) -> Answer<()> {
    let said = table.said(house, shown, HEARD_MAX).await?;
    let minds = &house.settings.minds;
    // What plays the table's AI seats that have no choice of their own.
    let chosen = shown.game.terms().mind.as_deref().and_then(|text| text.parse().ok());
    let chosen = chosen.filter(|choice| minds.allows(choice)).unwrap_or_else(|| minds.preferred.clone());
    let chosen = minds.paid_for(shown.game.as_ref(), chosen);
    let (Some(advice), Choice::Model(model)) = (shown.game.advice(&said), &chosen) else { return Ok(()) };
    let Advice { prompt, input, act, repeats } = advice;
    let kind = shown.game.kind();
    let (version, rules) = file(&format!("{kind}/{prompt}"));
    let prompt = Prompt {
        version: format!("{kind}-{}-{version}", prompt.trim_end_matches(".md")),
        rules,
        brief: String::new(),
        recalled: String::new(),
        turn: fenced("input", &input),
        refused: vec![],
    };
    let mut running = match Running::begin_helper(house, table, shown, model, prompt).await? {
        Ok(running) => running,
        // Over budget: the game goes on as if there were no adviser.
        Err(_) => return Ok(()),
    };
    let reply = running.listen().await;
    let result = reply.ok().and_then(|text| object(&text));
    let failed = if result.is_none() { Some(("AI_REJECTED", "No usable opinion.")) } else { None };
    running.end(failed).await?;
    let Some(mut told) = result else { return Ok(()) };
    told.insert("type".into(), act.into());
    for field in repeats {
        told.insert((*field).into(), input[*field].clone());
    }
    let told = Value::Object(told);
    let sent = play::change(house, table, None, |game, now| Ok((play::act(game, Actor::Clock, &told, now)?, ())));
    sent.await.map(drop)
}
