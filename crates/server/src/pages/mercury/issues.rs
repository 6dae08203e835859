//! What lies on the table of a meeting: the papers on the four issues with the viewer's own stances, and the vote board.

use crate::pages::mercury::body::MercuryBody;
use crate::pages::mercury::horseshoe::vote_class;
use crate::pages::mercury::record::delegations;
use crate::pages::shared::people::Person;
use games::mercury::{Choice, Issue, Role, YES};

/// An issue with all that the viewer knows of it.
pub struct Paper {
    /// From 1 to 4.
    pub number: u8,
    pub title: String,
    pub question: String,
    /// `now`, `adopted`, `failed` or empty.
    pub class: &'static str,
    /// The same in words.
    pub state: String,
    pub options: Vec<PaperOption>,
}

/// An option with the viewer's own stance.
pub struct PaperOption {
    pub id: String,
    pub label: String,
    pub description: String,
    /// Whether it was put to the vote.
    pub tabled: bool,
    /// The stance of the viewer's delegation, if it has one.
    pub own: Option<OwnStance>,
}

/// How far the viewer's own delegation accepts an option.
pub struct OwnStance {
    /// In hundredths; `None` is a red line.
    pub accepts: Option<u8>,
    /// Whether it is what the delegation wants most.
    pub preferred: bool,
}

/// A line of the vote board.
pub struct Row {
    pub person: Person,
    /// The name of its player on the roster, and the seat's id.
    pub player: Option<(String, String)>,
    /// Whether a house mind plays it.
    pub house: bool,
    /// Whether the viewer may hand the seat to a house mind.
    pub may_hand: bool,
    /// For each issue `yes`, `no` or nothing yet.
    pub votes: Vec<Option<&'static str>>,
}

impl MercuryBody {
    /// The four issues, with the viewer's own stances.
    pub fn papers(&self) -> Vec<Paper> {
        Issue::ALL.into_iter().filter_map(|issue| self.paper(issue)).collect()
    }

    fn paper(&self, number: Issue) -> Option<Paper> {
        let view = &self.view;
        let issue = view.round3.issues.iter().find(|issue| issue.issue_id == number)?;
        let active = view.round3.active_issue.as_ref().filter(|active| active.issue_id == number);
        let ended = view.votes.iter().find(|one| one.issue_id == number);
        let class = match ended {
            Some(ended) if ended.adopted => "adopted",
            Some(_) => "failed",
            None if active.is_some() => "now",
            None => "",
        };
        let tabled = ended.map(|ended| ended.option_id).or(active.and_then(|active| active.proposed_option_id));
        let options = issue.options.iter().map(|option| PaperOption {
            id: option.option_id.to_string(),
            label: option.label.clone(),
            description: option.description.clone(),
            tabled: tabled == Some(option.option_id),
            own: self.own_stance(option.option_id),
        });
        Some(Paper {
            number: number.0,
            title: issue.issue_title.clone(),
            question: issue.question.clone(),
            class,
            state: if class.is_empty() { String::new() } else { self.w.of("paper", class) },
            options: options.collect(),
        })
    }

    fn own_stance(&self, option: Choice) -> Option<OwnStance> {
        let stance = self.view.stances.as_ref()?.get(&option.issue.0.to_string())?;
        let accepts = stance.acceptance.get(&option.to_string()).copied().flatten();
        Some(OwnStance {
            accepts: accepts.map(|value| (value * 100.0).round() as u8),
            preferred: stance.preferred == option,
        })
    }

    /// Whether this paper lies open.
    pub fn lies_open(&self, paper: &Paper) -> bool {
        let active = self.view.round3.active_issue.as_ref().map(|active| active.issue_id);
        active.or(self.view.round3.next_issue).map(|issue| issue.0) == Some(paper.number)
    }

    /// From which acceptance on a country votes yes, in hundredths.
    pub fn says_yes(&self) -> u8 {
        YES
    }

    /// The vote board: everybody, and how they voted.
    pub fn rows(&self) -> Vec<Row> {
        let row = |person: Person| {
            let role = Role::named(&person.id)?;
            let sitter = self.seat(role).and_then(|seat| self.around.sitters.get(seat));
            Some(Row {
                player: sitter.map(|sitter| (sitter.name.clone(), sitter.agent_id.clone())),
                house: sitter.is_some_and(|sitter| sitter.house),
                may_hand: sitter.is_some_and(|sitter| sitter.may_hand),
                votes: Issue::ALL.into_iter().map(|issue| self.vote_of(role, issue)).collect(),
                person,
            })
        };
        delegations(&self.w, &self.view).into_iter().filter_map(row).collect()
    }

    fn vote_of(&self, role: Role, issue: Issue) -> Option<&'static str> {
        let ended = self.view.votes.iter().find(|one| one.issue_id == issue).map(|one| &one.votes);
        let active = self.view.round3.active_issue.as_ref().filter(|active| active.issue_id == issue);
        let votes = ended.or(active.map(|active| &active.votes))?;
        votes.iter().find(|vote| vote.role_id == role).map(|vote| vote_class(vote.vote))
    }

    /// The seat of a role: the player's is the first, the others follow in the order of the roles.
    fn seat(&self, role: Role) -> Option<usize> {
        let human = self.view.human_role_id?;
        Some(match role.cmp(&human) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => role.index() + 1,
            std::cmp::Ordering::Greater => role.index(),
        })
    }
}
