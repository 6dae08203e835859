//! Whether stored words are those that their hashes name, and are found again by what they are looked up by.

use super::{Bad, bad};
use crate::Db;
use commons::corpus::hash::{ArgHash, Normal};
use commons::corpus::lesson::Text;
use commons::corpus::moderation::Standing;
use rusqlite::{OptionalExtension as _, params};

/// Checks every argument, every defense, and the first answers that are kept for requests sent twice.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    arguments(db)?;
    defenses(db)?;
    outside_answers(db)
}

/// Every argument against its hash, and its signature against its words. Words that were removed leave both behind.
fn arguments(db: &Db) -> Result<(), Bad> {
    let stray = "select argument from argument_signatures where argument not in (select n from arguments) limit 1";
    if let Some(n) = db.query_row(stray, [], |row| row.get(0)).optional()? {
        return Err(bad("argument_signatures", n, "it is the signature of no argument"));
    }
    // By argument, in one pass: the table itself is ordered by element.
    let mut signed = db.prepare("select argument, element from argument_signatures order by argument, element")?;
    let mut signed = signed.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut next: Option<(i64, i64)> = signed.next().transpose()?;
    let mut query = db.prepare("select n, hash, text, status from arguments order by n")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let n: i64 = row.get(0)?;
        let mut stored = Vec::new();
        while let Some((_, element)) = next.filter(|(argument, _)| *argument == n) {
            stored.push(element);
            next = signed.next().transpose()?;
        }
        let text = row.get_ref(2)?.as_str().map_err(|_| bad("arguments", n, "its words cannot be read"))?;
        if text.is_empty() {
            continue;
        }
        let normal = Normal::of(text).map_err(|_| bad("arguments", n, "its words cannot be read"))?;
        if row.get_ref(1)?.as_str().ok() != Some(ArgHash::of_normal(&normal).to_string().as_str()) {
            return Err(bad("arguments", n, "its words are not those of its hash"));
        }
        let is_counted = row.get_ref(3)?.as_str().ok() == Some(Standing::Counted.word());
        let expected = if is_counted { Vec::new() } else { Text::of(text).map_or(vec![], |text| text.elements()) };
        if stored != expected {
            return Err(bad("argument_signatures", n, "the signature of this argument is not that of its words"));
        }
    }
    Ok(())
}

/// Every defense against its hash, its game and the attack it answers.
fn defenses(db: &Db) -> Result<(), Bad> {
    let mut query = db.prepare("select id, defense_hash, full_text from defense_corpus where full_text != ''")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let hash = row.get_ref(2)?.as_str().ok().and_then(|text| ArgHash::of(text).ok());
        if hash.is_none_or(|hash| row.get_ref(1).ok().and_then(|is| is.as_str().ok()) != Some(&hash.to_string())) {
            return Err(bad("defense_corpus", row.get(0)?, "its words are not those of its hash"));
        }
    }
    // An attack that was only counted at first is its own lineage until it is kept.
    let strange = "select d.id from defense_corpus d left join arguments a on a.hash = d.argument_hash
         left join arguments own on own.hash = d.defense_hash left join games g on g.n = d.game
         where a.n is null or own.n is null or d.attack_lineage not in (a.lineage, a.n)
             or d.game is not null and replace(d.trial_id, '-', '') is not lower(hex(g.id))
             or d.external = 0 and own.author is not null and replace(d.author_id, '-', '') != lower(hex(own.author))
         limit 1";
    match db.query_row(strange, params![], |row| row.get(0)).optional()? {
        Some(id) => Err(bad("defense_corpus", id, "its attack, trial or author is not that of the game")),
        None => Ok(()),
    }
}

/// Answers to requests that concern no game: no log tells what they must be, but each must be one.
fn outside_answers(db: &Db) -> Result<(), Bad> {
    let broken = "select count(*) from outside_answers
         where length(caller) != 32 or length(request) != 32 or not json_valid(cast(answer as text))";
    match db.query_row(broken, [], |row| row.get::<_, i64>(0))? {
        0 => Ok(()),
        broken => {
            let what = format!("{broken} rows cannot be read");
            Err(Bad { table: "outside_answers", game: None, row: None, what })
        }
    }
}
