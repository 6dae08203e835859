//! Which two accounts met in which game, and whether what came of their words there counts.

use crate::{Db, GameNo, StoreError};
use commons::corpus::lesson::Opponents;
use commons::ledger::meeting::{Meeting, Source, remembered_ms};
use engine::id::{AccountId, Seq};
use engine::time::Timestamp;
use rusqlite::{OptionalExtension as _, params};
use uuid::Uuid;

/// Most games of an account that are looked at for those with another.
const READ_BACK_MAX: i64 = 200;

/// Whether what comes of words in this game counts, as far as it depends on the players. Decided and stored with the first ruling.
pub(crate) fn counts(db: &Db, game: GameNo, opponents: Opponents, at: Timestamp) -> Result<bool, StoreError> {
    let (one, other) = match opponents {
        Opponents::Chosen => return Ok(false),
        Opponents::House => return Ok(true),
        Opponents::Strangers(one, other) => (one, other),
    };
    if let Some(decided) = decided(db, game)? {
        return Ok(decided);
    }
    let mut query =
        db.prepare_cached("select count(*) from meetings where one = ?1 and other = ?2 and at > ?3 and counts = 1")?;
    let earlier: i64 = query.query_row(params![one.0, other.0, at.0 - remembered_ms(db.terms())], |row| row.get(0))?;
    let mut query = db.prepare_cached("select max(created_at) from accounts where id in (?1, ?2)")?;
    let created: Option<i64> = query.query_row(params![one.0, other.0], |row| row.get(0))?;
    let meeting = Meeting { earlier: earlier as u64, younger_ms: at.0 - created.unwrap_or(at.0) };
    let counts = meeting.counts(db.terms());
    db.prepare_cached("insert into meetings (game, one, other, at, counts) values (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![game.0, one.0, other.0, at.0, counts])?;
    Ok(counts)
}

/// Whether this lineage has counted in this game already. Once is enough: two who play on purpose could say it in every exchange.
pub(crate) fn is_counted(db: &Db, game: GameNo, lineage: i64) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached(
        "select 1 from argument_events e join arguments a on a.hash = e.arg_hash
         where e.game = ?1 and e.counted = 1 and a.lineage = ?2",
    )?;
    Ok(query.exists(params![game.0, lineage])?)
}

/// Whether what came of a speech of this game was counted.
pub(crate) fn was_counted(db: &Db, game: GameNo, speech: Seq) -> Result<bool, StoreError> {
    let mut query = db.prepare_cached("select counted from argument_events where game = ?1 and seq = ?2")?;
    Ok(query.query_row(params![game.0, speech.0], |row| row.get(0)).optional()?.unwrap_or(false))
}

/// What was decided about a game; none if nothing was ruled yet, or it is not one between two accounts.
pub(crate) fn decided(db: &Db, game: GameNo) -> Result<Option<bool>, StoreError> {
    let mut query = db.prepare_cached("select counts from meetings where game = ?1")?;
    Ok(query.query_row(params![game.0], |row| row.get(0)).optional()?)
}

/// How an account came by words of this lineage. A look into the archive in the same game is payment enough: it costs more than most texts.
pub(crate) fn source(db: &Db, speaker: AccountId, lineage: i64, game: GameNo) -> Result<Source, StoreError> {
    let mut query = db.prepare_cached("select author from arguments where n = ?1")?;
    let author: Option<Uuid> = query.query_row(params![lineage], |row| row.get(0)).optional()?.flatten();
    // The very account: addresses are not verified, so anybody can register one that looks like the author's.
    let is_author = author == Some(speaker.0);
    let mut query = db.prepare_cached(
        "select 1 from unlocks_kept u join transfers t on t.n = u.transfer
         where u.player_id = ?1 and t.bonus * 2 <= t.amount and (
             u.unlock_type in ('attack', 'defense') and u.unlock_target in (select hash from arguments where lineage = ?2)
             or u.unlock_type = 'pack' and u.unlock_target in (select pack_id from pack_defenses where lineage = ?2)
             or u.unlock_type = 'dossier_consult' and u.game = ?3)",
    )?;
    Ok(Source { is_author, is_paid: query.exists(params![speaker.0, lineage, game.0])? })
}

/// At how many tables of a kind two accounts have sat together since then, among the latest of the first.
pub fn met_since(db: &Db, one: AccountId, other: AccountId, kind: &str, since: Timestamp) -> Result<u64, StoreError> {
    let mut query = db.prepare_cached(
        "select count(*) from (select game from players where account = ?1 order by game desc limit ?5) latest
         join players p on p.account = ?2 and p.game = latest.game join games g on g.n = latest.game
         where g.kind = ?3 and g.created_at > ?4",
    )?;
    let values = params![one.0, other.0, kind, since.0, READ_BACK_MAX];
    Ok(query.query_row(values, |row| row.get::<_, i64>(0))? as u64)
}
