//! What each speech of a finished game moved, kept once it is worked out, and what that says of the arguments that were used.

use crate::verify::{Bad, bad};
use crate::{Db, GameNo, StoreError};
use engine::id::{GameId, Seq};
use engine::influence::{Influence, Level, Unknown};
use rusqlite::{OptionalExtension as _, params};

/// What was found, or why there is nothing to find.
pub type Found = Result<Influence, Unknown>;

/// Notes that a game that used arguments is over: what they moved is still to be worked out.
pub(crate) fn expect(db: &Db, game: GameNo) -> Result<(), StoreError> {
    let mut insert = db.prepare_cached(
        "insert or ignore into influences (game, level)
         select ?1, ?2 where exists (select 1 from argument_events where game = ?1 and counted = 1)",
    )?;
    insert.execute(params![game.0, Level::Revote.word()])?;
    Ok(())
}

/// The first game whose influence is still to be worked out.
pub fn due(db: &Db) -> Result<Option<(GameNo, GameId)>, StoreError> {
    let mut query = db.prepare_cached(
        "select n, id from influences indexed by influences_due join games on games.n = influences.game
         where found is null order by game limit 1",
    )?;
    let read = |row: &rusqlite::Row<'_>| Ok((GameNo(row.get(0)?), GameId(row.get(1)?)));
    Ok(query.query_row([], read).optional()?)
}

/// What was found of a game; none while it is still to be worked out.
pub fn find(db: &Db, game: GameNo, level: Level) -> Result<Option<Found>, StoreError> {
    let mut query = db.prepare_cached("select found from influences where game = ?1 and level = ?2")?;
    let found: Option<Option<String>> = query.query_row(params![game.0, level.word()], |row| row.get(0)).optional()?;
    let read = |found: String| serde_json::from_str(&found).map_err(|error| StoreError::Broken(error.to_string()));
    found.flatten().map(read).transpose()
}

/// Keeps what was found, and counts the lift of each use once.
pub fn keep(db: &Db, game: GameNo, level: Level, found: &Found) -> Result<(), StoreError> {
    let told = serde_json::to_string(found).expect("plain values");
    db.prepare_cached(
        "insert into influences (game, level, found) values (?1, ?2, ?3)
             on conflict (game, level) do update set found = ?3 where found is null",
    )?
    .execute(params![game.0, level.word(), told])?;
    let Ok(Influence { level: Level::Revote, speeches, .. }) = found else { return Ok(()) };
    for without in speeches {
        count(db, game, without.speech, without.lift)?;
    }
    Ok(())
}

fn count(db: &Db, game: GameNo, seq: Seq, lift: i32) -> Result<(), StoreError> {
    let mut insert = db.prepare_cached(
        "insert or ignore into lifts (game, seq, stat, lift)
         select game, seq, stat, ?3 from argument_events where game = ?1 and seq = ?2 and counted = 1
         returning stat",
    )?;
    let stat: Option<i64> = insert.query_row(params![game.0, seq.0, lift], |row| row.get(0)).optional()?;
    if let Some(stat) = stat {
        let sql = "update argument_stats set lift_sum = lift_sum + ?2, lifted = lifted + 1 where n = ?1";
        db.prepare_cached(sql)?.execute(params![stat, lift])?;
    }
    Ok(())
}

/// Whether every lift belongs to a use that counts, says what was found of it, and is counted where it belongs.
pub(crate) fn check(db: &Db) -> Result<(), Bad> {
    let stray = "select l.game from lifts l left join argument_events e on e.game = l.game and e.seq = l.seq
                 where e.id is null or e.counted = 0 or e.stat != l.stat limit 1";
    let mistold = "select l.game from lifts l join influences i on i.game = l.game and i.level = 'revote'
                   where not exists (select 1 from json_each(i.found, '$.Ok.speeches') one
                       where one.value ->> 'speech' = l.seq and one.value ->> 'lift' = l.lift) limit 1";
    for (sql, why) in [(stray, "it is no lift of that use"), (mistold, "it is not what was found")] {
        if let Some(game) = db.query_row(sql, [], |row| row.get::<_, i64>(0)).optional()? {
            return Err(bad("lifts", game, why));
        }
    }
    let miscounted = "select s.n from argument_stats s left join (
                          select stat, sum(lift) as lift_sum, count(*) as lifted from lifts group by stat
                      ) l on l.stat = s.n
                      where s.lift_sum != coalesce(l.lift_sum, 0) or s.lifted != coalesce(l.lifted, 0) limit 1";
    match db.query_row(miscounted, [], |row| row.get::<_, i64>(0)).optional()? {
        Some(n) => Err(bad("argument_stats", n, "its lift is not that of its uses")),
        None => Ok(()),
    }
}
