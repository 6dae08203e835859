//! The counters of an argument.

use crate::{plain, trap};
use commons::corpus::stats::{CaseId, CharacterId, Counters, EventRefusal, JuryShift, Use};
use engine::facts::Fate;
use engine::time::Timestamp;

#[test]
fn each_use_counts_once_in_each_column_it_belongs_to() {
    let uses = [
        Use { ia_change: 3, at: Timestamp(10), ..plain(3) },
        Use { ia_change: 14, at: Timestamp(30), ..trap(4, Fate::Failed) },
        Use { ia_change: 12, at: Timestamp(20), ..trap(2, Fate::Withdrawn) },
        Use { ia_change: -5, at: Timestamp(25), ..trap(-6, Fate::Proved) },
        // A claim that nobody ruled on.
        Use { triggered: true, ..plain(0) },
    ];
    let counters = Counters::of(&uses);
    assert_eq!(
        counters,
        Counters {
            uses: 5,
            trap_triggers: 4,
            trap_lands: 2,
            trap_misses: 1,
            total_ia_won: 29,
            worked: 3,
            moved: 3,
            jury_shift_sum: 3,
            last_used_at: Some(Timestamp(30)),
        }
    );
    let mut backwards = uses;
    backwards.reverse();
    assert_eq!(Counters::of(&backwards), counters, "the order does not matter");
}

#[test]
fn an_argument_that_was_never_used_has_no_average_and_no_last_time() {
    let counters = Counters::default();
    assert_eq!((counters.avg_jury_shift_hundredths(), counters.last_used_at), (0, None));
}

#[test]
fn the_average_has_two_decimals_and_halves_go_away_from_zero() {
    let average = |jurors: &[i64]| {
        Counters::of(&jurors.iter().map(|jurors| plain(*jurors)).collect::<Vec<_>>()).avg_jury_shift_hundredths()
    };
    assert_eq!(average(&[4]), 400);
    assert_eq!(average(&[1, 0, 0]), 33);
    assert_eq!(average(&[1, 1, 0]), 67);
    assert_eq!(average(&[-1, -1, 0]), -67);
    // 1/8 is 0.125.
    assert_eq!(average(&[1, 0, 0, 0, 0, 0, 0, 0]), 13);
    assert_eq!(average(&[-1, 0, 0, 0, 0, 0, 0, 0]), -13);
    assert_eq!(average(&[-12]), -1200);
}

#[test]
fn what_no_ruling_brings_about_is_refused() {
    assert_eq!(Use { verdict: Some(Fate::Failed), ..plain(0) }.check(), Err(EventRefusal::VerdictWithoutClaim));
    assert_eq!(trap(0, Fate::Failed).check(), Ok(()));
    assert_eq!(plain(-12).check(), Ok(()));
    for jurors in [13, -13, 300, i64::MIN] {
        assert_eq!(JuryShift::new(jurors), Err(EventRefusal::ShiftTooFar { found: jurors }));
    }
    assert!(JuryShift::new(13).expect_err("thirteen").to_string().contains("from -12 to 12; this one is 13"));
    assert_eq!(CaseId::new(""), Err(EventRefusal::IdLength { found: 0 }));
    assert_eq!(CharacterId::new("가".repeat(65)), Err(EventRefusal::IdLength { found: 65 }));
    assert_eq!(CaseId::new("john_law").expect("an id").as_str(), "john_law");
}

#[test]
fn ids_and_shifts_are_checked_when_they_are_read() {
    assert_eq!(serde_json::from_str::<JuryShift>("-12").expect("it reads").jurors(), -12);
    assert!(serde_json::from_str::<JuryShift>("-13").expect_err("refused").to_string().contains("this one is -13"));
    assert!(serde_json::from_str::<CaseId>("\"\"").is_err());
    assert_eq!(serde_json::to_string(&CaseId::new("trolley").expect("an id")).expect("it writes"), "\"trolley\"");
}
