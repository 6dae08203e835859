//! Lines that players know from earlier games: house minds say others first, and nobody is told which ones are known.

use crate::influence::Finished;
use engine::laws::entries;
use engine::parts::lines::LineId;
use engine::parts::transcript::SeenBy;
use engine::rules::{Rules, Viewer};
use games::mercury::Mercury;
use games::trial::Trial;
use games::tribunal::Tribunal;
use games::trolley::Trolley;
use serde_json::json;
use std::collections::BTreeSet;

/// The lines that house minds chose to say in a game. A meeting's openings are dealt with the stances, and the Chair follows a script, so
/// neither counts.
fn said<R: Rules>(finished: &Finished<R>) -> BTreeSet<LineId> {
    let spoken = finished.log.iter().filter(|row| !matches!(row.name, "opening" | "chair"));
    spoken.filter_map(|row| row.line.as_ref()?.text.as_deref()).flat_map(R::lines_in).collect()
}

/// At most `known_max` of a hundred lines may be known ones: some lists are short, and start over once all their lines are known.
fn hears_others<R: Rules>(lang: &str, seats: usize, known_max: usize) {
    let options = json!({"lang": lang});
    let (mut all, mut again) = (0, 0);
    for number in 0..3 {
        let first = Finished::<R>::played_to(&[], number, &options, seats);
        let known: Vec<LineId> = said(&first).into_iter().collect();
        // With the same seed, so that without the known lines exactly the same would be said.
        let second = Finished::<R>::played_to(&known, number, &options, seats);
        let heard = said(&second);
        all += heard.len();
        again += heard.iter().filter(|line| known.contains(line)).count();
    }
    println!("{} {lang}: {again} of {all} lines heard before", R::META.name);
    assert!(again * 100 <= all * known_max, "{} {lang}: {again} of {all}", R::META.name);
}

#[test]
fn players_hear_lines_first_that_they_do_not_know_from_earlier_games() {
    for lang in ["en", "ko"] {
        hears_others::<Trial>(lang, 6, 10);
        hears_others::<Trolley>(lang, 5, 20);
        hears_others::<Tribunal>(lang, 3, 20);
        hears_others::<Mercury>(lang, 9, 50);
    }
}

#[test]
fn nobody_is_told_which_lines_the_players_know() {
    let known = ["one line of the house", "another line of the house"].map(LineId::of);
    let finished = Finished::<Trial>::played_to(&known, 7, &json!({}), 6);
    let row = finished.log.iter().find(|row| row.name == "lines_known").expect("it is recorded");
    let line = row.line.as_ref().expect("house minds read it in the transcript");
    assert_eq!((line.seen_by, &line.payload), (SeenBy::NOBODY, &Some(json!(known))));
    let entries = entries(&finished.log);
    for viewer in (0..6).map(|seat| Viewer::Seat(engine::id::Seat(seat))).chain([Viewer::Spectator]) {
        assert_eq!(finished.game.message(row.mark, &row.body, viewer), Ok(None));
        assert!(engine::game::heard(viewer, &entries).iter().all(|entry| entry.name != "lines_known"));
    }
    assert_eq!(finished.game.is_open(&row.body), Ok(false), "not even when the game is over");
}
