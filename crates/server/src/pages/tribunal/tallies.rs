//! What a tribunal keeps on its boards: the claims, what each exchange came to, which jurors it moved, and who sits.

use crate::pages::shared::people::Person;
use crate::pages::tribunal::body::TribunalBody;
use crate::pages::tribunal::chamber::{lean_class, sign};
use crate::pages::tribunal::record::{charged, fate, moved_sentence, name_of, people, signed};
use games::tribunal::docket::Favours;

/// A claim on the board.
pub struct Claimed {
    pub exchange: u8,
    pub name: String,
    /// What it is about.
    pub label: String,
    /// What it says, for those who may read it.
    pub text: Option<String>,
    /// `claimed`, `proved`, `withdrawn` or `struck`.
    pub status: &'static str,
    /// The sign that goes with it.
    pub sign: &'static str,
}

/// An exchange in one line.
pub struct Summed {
    pub number: u8,
    pub name: String,
    pub label: String,
    /// What the bench gave it, with its sign.
    pub ruling: Option<String>,
    /// What became of the claim, if there was one.
    pub fate: Option<&'static str>,
    /// The ruling and the fate of the claim together, with its sign.
    pub total: Option<String>,
    /// Which jurors moved, and to which side.
    pub moved: String,
    /// The IA it brought the prosecutor, with its sign.
    pub ia: Option<String>,
}

/// A juror over the whole trial.
pub struct Swayed {
    pub number: usize,
    /// How it leans now, with its sign.
    pub lean: String,
    /// The class of that lean.
    pub class: &'static str,
    /// For each exchange that is over: `condemn` or `acquit` if it moved the juror, or empty.
    pub moves: Vec<&'static str>,
}

pub struct Member {
    pub person: Person,
    /// Whether a house mind took the seat over from a player.
    pub handed: bool,
    /// Whether the viewer may hand the seat to a house mind.
    pub may_hand: bool,
}

impl TribunalBody {
    /// The board of claims, in the order in which they were made.
    pub fn claims(&self) -> Vec<Claimed> {
        let claim = self.view.commitments.iter().map(|made| Claimed {
            exchange: made.exchange,
            name: name_of(&self.view, &made.character_id).to_owned(),
            label: made.label.clone(),
            text: made.claim.clone(),
            status: fate(made.status),
            sign: sign(made.status),
        });
        claim.collect()
    }

    /// Every exchange so far.
    pub fn exchanges(&self) -> Vec<Summed> {
        let summed = self.view.exchanges_log.iter().map(|one| {
            let moved: Vec<String> = one.moved.iter().map(ToString::to_string).collect();
            let burden = one.burden.as_ref().map(|burden| burden.verdict.map_or("claimed", |found| fate(found.word())));
            Summed {
                number: one.exchange,
                name: name_of(&self.view, &one.character_id).to_owned(),
                label: if one.consulted { self.w.t("archive-consulted") } else { one.label.clone() },
                ruling: one.ruling.as_ref().map(|ruling| signed(ruling.jury_shift.into())),
                fate: burden,
                total: one.total_shift.map(|shift| signed(shift.into())),
                moved: one.total_shift.map_or(String::new(), |shift| moved_sentence(&self.w, &moved, shift.into())),
                ia: one.ia_change.filter(|ia| *ia != 0).map(|ia| signed(ia.into())),
            }
        });
        summed.collect()
    }

    /// Every juror, with which exchange moved it.
    pub fn jury(&self) -> Vec<Swayed> {
        let closed: Vec<(&[u8], i8)> =
            self.view.exchanges_log.iter().filter_map(|one| Some((&one.moved[..], one.total_shift?))).collect();
        let juror = |(index, lean): (usize, &i8)| {
            let number = index + 1;
            let moved = |(moved, shift): &(&[u8], i8)| match (moved.contains(&(number as u8)), *shift > 0) {
                (false, _) => "",
                (true, true) => "condemn",
                (true, false) => "acquit",
            };
            Swayed {
                number,
                lean: signed((*lean).into()),
                class: lean_class(*lean),
                moves: closed.iter().map(moved).collect(),
            }
        };
        self.view.jurors.iter().enumerate().map(juror).collect()
    }

    /// Everybody who sits here.
    pub fn members(&self) -> Vec<Member> {
        let member = |person: Person| {
            let sitter = self.around.sitters.iter().find(|sitter| sitter.agent_id == person.id);
            Member {
                handed: sitter.is_some_and(|sitter| sitter.handed),
                may_hand: sitter.is_some_and(|sitter| sitter.may_hand),
                person,
            }
        };
        people(&self.view).into_iter().map(member).collect()
    }

    /// When and where it happened.
    pub fn when_and_where(&self) -> String {
        self.view.case.as_ref().map_or(String::new(), |case| format!("{} · {}", case.when, case.r#where))
    }

    /// The names of those for whom the accused's seat speaks.
    pub fn charged_names(&self) -> String {
        self.w.names(charged(&self.view).iter().map(crate::pages::shared::people::name), 4)
    }

    /// Whom a fact helps, as the stylesheet and the words spell it.
    pub fn favours(&self, favours: &Favours) -> &'static str {
        match favours {
            Favours::Condemn => "condemn",
            Favours::Acquit => "acquit",
            Favours::Neither => "neither",
        }
    }
}
