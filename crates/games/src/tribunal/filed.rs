//! A case as it stands in a file: read, checked field by field, and sorted into what everybody is told and what only the house knows.

use super::docket::{Angle, Answers, Attack, Brief, Case, Character, Exhibit, Script, Temptation};
use super::words::{ATTACK_LEN, CITED_MAX, CLAIM_LEN_MAX, TEXT_LEN_MAX};
use engine::facts::Manner;
use engine::parts::text;
use engine::roster::Lang;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

const ID_LEN: RangeInclusive<usize> = 1..=64;
const TITLE_LEN: RangeInclusive<usize> = 1..=80;
const LINE_LEN: RangeInclusive<usize> = 1..=120;
const LABEL_LEN: RangeInclusive<usize> = 1..=48;
const CHARGE_LEN: RangeInclusive<usize> = 1..=220;
const SUMMARY_LEN: RangeInclusive<usize> = 1..=700;
const FACT_LEN: RangeInclusive<usize> = 1..=260;
const TEMPERAMENT_LEN: RangeInclusive<usize> = 1..=200;
const RECORD: RangeInclusive<usize> = 2..=24;
const CHARACTERS: RangeInclusive<usize> = 1..=4;
const TEMPTATIONS: RangeInclusive<usize> = 1..=4;
const ANGLES: RangeInclusive<usize> = 1..=32;

#[derive(Deserialize)]
pub(super) struct Filed {
    case_id: String,
    language: Lang,
    title: String,
    when: String,
    r#where: String,
    charge: String,
    summary: String,
    record: Vec<Exhibit>,
    characters: Vec<FiledCharacter>,
    attacks: Vec<Attack>,
}

#[derive(Deserialize)]
struct FiledCharacter {
    #[serde(flatten)]
    character: Character,
    temptations: Vec<FiledTemptation>,
    answers: Vec<Answers>,
    plain: Vec<String>,
    #[serde(default)]
    puzzled: Vec<String>,
    #[serde(default)]
    nonsense: Vec<String>,
}

#[derive(Deserialize)]
struct FiledTemptation {
    id: String,
    label: String,
    claim: String,
    /// A note of the file's author; nothing reads it.
    #[serde(rename = "pressure")]
    _pressure: String,
    claims: Vec<String>,
    proof: Vec<String>,
    angles: Vec<Angle>,
}

impl Filed {
    /// What everybody is told, and what only the house knows; or what is wrong, with the field.
    pub(super) fn sorted(self) -> Result<(Lang, Case, Brief), String> {
        self.check()?;
        let lang = self.language;
        let mut characters = Vec::new();
        let mut scripts = Vec::new();
        for filed in self.characters {
            let FiledCharacter { character, temptations, answers, plain, puzzled, nonsense } = filed;
            let temptation = |filed: FiledTemptation| Temptation {
                id: filed.id,
                label: filed.label,
                claim: filed.claim,
                claims: filed.claims,
                proof: filed.proof,
                angles: filed.angles,
            };
            let temptations = temptations.into_iter().map(temptation).collect();
            scripts.push(Script { id: character.id.clone(), temptations, answers, plain, puzzled, nonsense });
            characters.push(character);
        }
        let case = Case {
            case_id: self.case_id,
            title: self.title,
            when: self.when,
            r#where: self.r#where,
            charge: self.charge,
            summary: self.summary,
            record: self.record,
            characters,
        };
        Ok((lang, case, Brief::new(scripts, self.attacks)))
    }

    fn check(&self) -> Result<(), String> {
        id("case_id", &self.case_id)?;
        text::checked_line("title", &self.title, TITLE_LEN)?;
        text::checked_line("when", &self.when, LINE_LEN)?;
        text::checked_line("where", &self.r#where, LINE_LEN)?;
        text::checked("charge", &self.charge, CHARGE_LEN)?;
        text::checked("summary", &self.summary, SUMMARY_LEN)?;
        within("record", self.record.len(), &RECORD)?;
        within("characters", self.characters.len(), &CHARACTERS)?;
        unique("record", self.record.iter().map(|fact| fact.id.as_str()))?;
        unique("characters", self.characters.iter().map(|filed| filed.character.id.as_str()))?;
        let temptations = self.characters.iter().flat_map(|filed| &filed.temptations);
        unique("temptations", temptations.map(|filed| filed.id.as_str()))?;
        for exhibit in &self.record {
            check_exhibit(exhibit).map_err(|wrong| format!("record {}: {wrong}", exhibit.id))?;
        }
        let known: Vec<&str> = self.record.iter().map(|fact| fact.id.as_str()).collect();
        for filed in &self.characters {
            check_character(filed, &known).map_err(|wrong| format!("character {}: {wrong}", filed.character.id))?;
        }
        for attack in &self.attacks {
            self.check_attack(attack).map_err(|wrong| format!("attacks on {}: {wrong}", attack.character))?;
        }
        Ok(())
    }

    fn check_attack(&self, attack: &Attack) -> Result<(), String> {
        let charged = self.characters.iter().find(|filed| filed.character.id == attack.character);
        let charged = charged.ok_or("there is no such character")?;
        if let Some(presses) = &attack.presses
            && !charged.temptations.iter().any(|temptation| temptation.id == *presses)
        {
            return Err(format!("presses: {presses} is no temptation of this character"));
        }
        let known: Vec<&str> = self.record.iter().map(|fact| fact.id.as_str()).collect();
        stands_in("cites", &attack.cites, &known)?;
        lines("lines", &attack.lines, &ATTACK_LEN)
    }
}

fn check_exhibit(exhibit: &Exhibit) -> Result<(), String> {
    id("id", &exhibit.id)?;
    text::checked_line("label", &exhibit.label, LABEL_LEN)?;
    text::checked_line("date", &exhibit.date, LINE_LEN)?;
    text::checked("text", &exhibit.text, FACT_LEN)?;
    text::checked_line("source", &exhibit.source, LINE_LEN).map(drop)
}

fn check_character(filed: &FiledCharacter, record: &[&str]) -> Result<(), String> {
    let FiledCharacter { character, temptations, answers, plain, puzzled, nonsense } = filed;
    id("id", &character.id)?;
    for (name, line) in [("name", &character.name), ("office", &character.office), ("lived", &character.lived)] {
        text::checked_line(name, line, LINE_LEN)?;
    }
    text::checked("temperament", &character.temperament, TEMPERAMENT_LEN)?;
    within("evidence", character.evidence.len(), &(1..=*RECORD.end()))?;
    stands_in("evidence", &character.evidence, record)?;
    unique("evidence", character.evidence.iter().map(String::as_str))?;
    within("temptations", temptations.len(), &TEMPTATIONS)?;
    let citable: Vec<&str> = character.evidence.iter().map(String::as_str).collect();
    for temptation in temptations {
        check_temptation(temptation, &citable).map_err(|wrong| format!("temptation {}: {wrong}", temptation.id))?;
    }
    for Answers { to, lines: answers, .. } in answers {
        stands_in("answers to", std::slice::from_ref(to), record)?;
        lines("answers", answers, &(1..=TEXT_LEN_MAX))?;
    }
    let admits = answers.iter().map(|answers| ("admits", &answers.admits));
    let optional = admits.chain([("puzzled", puzzled), ("nonsense", nonsense)]);
    for (name, list) in optional.filter(|(_, list)| !list.is_empty()) {
        lines(name, list, &(1..=TEXT_LEN_MAX))?;
    }
    lines("plain", plain, &(1..=TEXT_LEN_MAX))
}

fn check_temptation(temptation: &FiledTemptation, citable: &[&str]) -> Result<(), String> {
    id("id", &temptation.id)?;
    text::checked_line("label", &temptation.label, LABEL_LEN)?;
    text::checked_line("claim", &temptation.claim, 1..=CLAIM_LEN_MAX)?;
    lines("claims", &temptation.claims, &(1..=TEXT_LEN_MAX))?;
    within("proof", temptation.proof.len(), &(1..=citable.len()))?;
    stands_in("proof", &temptation.proof, citable)?;
    within("angles", temptation.angles.len(), &ANGLES)?;
    unique("angles", temptation.angles.iter().map(|angle| angle.id.as_str()))?;
    for angle in &temptation.angles {
        check_angle(angle, citable).map_err(|wrong| format!("angle {}: {wrong}", angle.id))?;
    }
    Ok(())
}

fn check_angle(angle: &Angle, citable: &[&str]) -> Result<(), String> {
    id("id", &angle.id)?;
    text::checked("text", &angle.text, 1..=TEXT_LEN_MAX)?;
    let cites = match angle.mode {
        Manner::Prove => 1..=CITED_MAX,
        Manner::Withdraw | Manner::Defend => 0..=0,
    };
    within("evidence", angle.evidence.len(), &cites)?;
    stands_in("evidence", &angle.evidence, citable)
}

fn id(name: &str, id: &str) -> Result<(), String> {
    let fits = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if fits && ID_LEN.contains(&id.len()) {
        return Ok(());
    }
    Err(format!("{name} must be 1 to {} letters, digits, _ or -, not {id:?}", ID_LEN.end()))
}

fn within(name: &str, found: usize, wanted: &RangeInclusive<usize>) -> Result<(), String> {
    if wanted.contains(&found) {
        return Ok(());
    }
    Err(format!("{name} must have {} to {} entries, not {found}", wanted.start(), wanted.end()))
}

fn unique<'a>(name: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let mut ids = ids;
    match ids.find(|id| !seen.insert(*id)) {
        None => Ok(()),
        Some(twice) => Err(format!("{name}: {twice} is there twice")),
    }
}

fn stands_in(name: &str, ids: &[String], known: &[&str]) -> Result<(), String> {
    match ids.iter().find(|id| !known.contains(&id.as_str())) {
        None => Ok(()),
        Some(id) => Err(format!("{name}: {id} is none of {}", known.join(", "))),
    }
}

fn lines(name: &str, lines: &[String], len: &RangeInclusive<usize>) -> Result<(), String> {
    within(name, lines.len(), &(1..=64))?;
    lines.iter().try_for_each(|line| {
        text::checked(name, line, len.clone()).map(drop).map_err(|wrong| format!("{wrong} ({line})"))
    })
}
