//! A bench of several judges: makes one ruling of theirs. The median decides how far the jury moves, the majority whether there was a
//! claim and whether it was proved; where they disagree, the ruling says so.

use super::words::REASONS_LEN_MAX;
use engine::roster::Lang;
use serde_json::{Value, json};

/// The ruling of a panel, from the acts of its judges, all of one type; nothing if there are none, or one cannot be read.
pub fn panel(lang: Lang, rulings: &[Value]) -> Option<Value> {
    match rulings.first()?["type"].as_str()? {
        "rule" => rule(lang, rulings),
        "rule_burden" => rule_burden(rulings),
        _ => None,
    }
}

fn rule(lang: Lang, rulings: &[Value]) -> Option<Value> {
    let mut shifts: Vec<i64> = rulings.iter().map(shift).collect::<Option<_>>()?;
    let said = shifts.clone();
    shifts.sort_unstable();
    // Of two in the middle the lower one, so that an absent judge does not help the prosecutor.
    let median = shifts[(shifts.len() - 1) / 2];
    let found = |ruling: &&Value| is_true(&ruling["extraordinary"]);
    let finders = rulings.iter().filter(found).count();
    let extraordinary = finders * 2 > rulings.len();
    let agree = |ruling: &&Value| is_true(&ruling["extraordinary"]) == extraordinary;
    let speaker = rulings.iter().filter(agree).min_by_key(|ruling| shift(ruling).map(|own| (own - median).abs()))?;
    let mut act = json!({"type": "rule", "jury_shift": median, "extraordinary": extraordinary});
    if extraordinary {
        act["claim"] = speaker["claim"].clone();
    }
    let shifts: Vec<String> = said.iter().map(|own| format!("{own:+}")).collect();
    let on_shift = said.iter().any(|own| *own != median).then(|| shifts.join(" / "));
    let on_claim =
        (finders != 0 && finders != rulings.len()).then(|| format!("{} {finders} / {}", claim(lang), rulings.len()));
    let votes: Vec<String> = on_shift.into_iter().chain(on_claim).collect();
    act["reasons"] = with_votes(&speaker["reasons"], (!votes.is_empty()).then(|| votes.join("; ")))?.into();
    if let Some(passage) = speaker["passage"].as_str() {
        act["passage"] = passage.into();
    }
    Some(act)
}

/// The word before the number of judges who found a claim.
fn claim(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "claim",
        Lang::Ko => "주장",
    }
}

fn rule_burden(rulings: &[Value]) -> Option<Value> {
    let proved = rulings.iter().filter(|ruling| ruling["verdict"] == "proved").count();
    let verdict = if proved * 2 > rulings.len() { "proved" } else { "failed" };
    let speaker = rulings.iter().find(|ruling| ruling["verdict"] == verdict)?;
    let split = proved != 0 && proved != rulings.len();
    let votes = split.then(|| format!("{proved} / {}", rulings.len()));
    let reasons = with_votes(&speaker["reasons"], votes)?;
    Some(json!({"type": "rule_burden", "verdict": verdict, "reasons": reasons}))
}

/// The speaker's reasons, with how they voted if they did not agree, within the limit.
fn with_votes(reasons: &Value, votes: Option<String>) -> Option<String> {
    let reasons = reasons.as_str()?;
    let Some(votes) = votes else { return Some(reasons.to_owned()) };
    let votes = format!(" ({votes})");
    let room = REASONS_LEN_MAX - votes.chars().count();
    Some(reasons.chars().take(room).chain(votes.chars()).collect())
}

/// As models and forms write numbers.
fn shift(ruling: &Value) -> Option<i64> {
    let value = &ruling["jury_shift"];
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

fn is_true(value: &Value) -> bool {
    value == &json!(true) || value == "true"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruling(shift: i64, claim: Option<&str>, reasons: &str) -> Value {
        let mut act = json!({"type": "rule", "jury_shift": shift.to_string(), "extraordinary": claim.is_some().to_string(), "reasons": reasons});
        if let Some(claim) = claim {
            act["claim"] = claim.into();
        }
        act
    }

    #[test]
    fn the_median_moves_the_jury_and_the_majority_finds_the_claim() {
        let acts =
            [ruling(9, None, "a"), ruling(2, Some("He raised the dead"), "b"), ruling(3, Some("He healed"), "c")];
        let found = panel(Lang::En, &acts).expect("a ruling");
        assert_eq!((&found["jury_shift"], &found["extraordinary"]), (&json!(3), &json!(true)));
        assert_eq!(
            (&found["claim"], &found["reasons"]),
            (&json!("He healed"), &json!("c (+9 / +2 / +3; claim 2 / 3)"))
        );
    }

    #[test]
    fn judges_who_move_the_jury_alike_may_differ_on_the_claim_and_it_is_said() {
        let acts = [ruling(3, None, "a"), ruling(3, Some("He healed"), "b"), ruling(3, None, "c")];
        for (lang, said) in [(Lang::En, "a (claim 1 / 3)"), (Lang::Ko, "a (주장 1 / 3)")] {
            let found = panel(lang, &acts).expect("a ruling");
            assert_eq!((&found["extraordinary"], &found["reasons"]), (&json!(false), &json!(said)));
        }
    }

    #[test]
    fn judges_who_agree_need_no_count_and_two_take_the_lower() {
        let agreed = panel(Lang::En, &[ruling(1, None, "same"), ruling(1, None, "too")]).expect("a ruling");
        assert_eq!((&agreed["jury_shift"], &agreed["reasons"]), (&json!(1), &json!("same")));
        assert_eq!(
            panel(Lang::En, &[ruling(4, None, "x"), ruling(-2, None, "y")]).expect("a ruling")["jury_shift"],
            -2
        );
        assert_eq!(panel(Lang::En, &[]), None);
    }

    #[test]
    fn a_burden_is_met_by_majority_and_long_reasons_leave_room_for_the_count() {
        let act =
            |verdict: &str, reasons: String| json!({"type": "rule_burden", "verdict": verdict, "reasons": reasons});
        let found = panel(
            Lang::En,
            &[act("failed", "no".into()), act("proved", "ja ".repeat(100)), act("proved", "yes".into())],
        )
        .expect("a ruling");
        assert_eq!(found["verdict"], "proved");
        let reasons = found["reasons"].as_str().expect("reasons");
        assert!(reasons.ends_with(" (2 / 3)") && reasons.chars().count() <= REASONS_LEN_MAX, "{reasons}");
    }
}
