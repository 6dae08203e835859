//! The trolley board as a picture: geometry from the view alone, so that it says nothing the view does not.

use crate::locale::Words;
use crate::pages::shared::people::{Person, is_wide, people};
use askama::Template;
use games::trolley::View;
use std::fmt::Write as _;

const WIDTH: f32 = 400.0;
const FORK_X: f32 = 104.0;
/// Where the tokens of a branch begin and end; behind them the tram has room to stop.
const ZONE: (f32, f32) = (184.0, 344.0);
/// Names stand below the track and may reach a little further than the tokens.
const NAMES: f32 = 166.0;
/// Where the signs of the branches end.
const SIGN_X: f32 = 168.0;
const BRANCH_X: f32 = 176.0;
/// Half the gauge of the rails.
const GAUGE: f32 = 3.6;
const PITCH_MAX: f32 = 46.0;
/// Where the tram stops: half in the picture's margin, so that it clears the tokens.
const STOP_X: f32 = WIDTH - 25.0;
/// Below this distance between tokens a name under each would not be readable.
const PITCH_NAMED: f32 = 36.0;

/// How large the picture will be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// On a table's own page.
    Full,
    /// On a card in the lobby: no names.
    Mini,
}

#[derive(Template, Clone, Debug)]
#[template(path = "trolley/board.html")]
pub struct Board {
    id: String,
    /// Whether it is described in words, for those who do not see it.
    full: bool,
    height: String,
    title: String,
    desc: String,
    class: &'static str,
    rails: Vec<String>,
    ties: Vec<String>,
    route: Option<String>,
    lever: Lever,
    tram: (String, String),
    tokens: Vec<Token>,
    vacant: Vec<(String, String, String)>,
    signs: Vec<Sign>,
    /// Behind the saved side: x, y, width and height.
    glow: Option<[String; 4]>,
}

#[derive(Clone, Debug)]
struct Lever {
    base: (String, String),
    tip: (String, String),
    mid: String,
}

#[derive(Clone, Debug)]
struct Token {
    class: String,
    at: (String, String),
    r: String,
    /// Half the width of the square or the diamond.
    half: String,
    font: String,
    mark: String,
    title: String,
    operator: bool,
    minority: bool,
    argued: bool,
    /// How large the speech mark is.
    bubble: String,
    label: Option<(String, String)>,
}

#[derive(Clone, Debug)]
struct Sign {
    role: &'static str,
    x: String,
    y: String,
    text: String,
    shape_x: String,
    shape_y: String,
    fate: Option<(String, String, &'static str)>,
}

struct Plan {
    height: f32,
    mid: f32,
    upper: f32,
    lower: f32,
    zone_height: f32,
}

impl Plan {
    fn of(view: &View) -> Plan {
        let crowd = view.majority_agents.len().max(view.minority_agents.len()).max(view.coverage.len() / 2);
        let height = match crowd {
            0..=8 => 232.0,
            9..=14 => 252.0,
            _ => 292.0,
        };
        Plan { height, mid: height / 2.0, upper: height / 4.0, lower: height * 0.75, zone_height: height / 2.0 - 12.0 }
    }
}

impl Board {
    /// Draws the view. `id` must be unique on the page.
    pub fn draw(w: &Words, view: &View, size: Size, id: &str) -> Board {
        let plan = Plan::of(view);
        let people = people(view);
        let fate = Fate::of(view);
        let mut tokens = vec![];
        let named = size == Size::Full;
        let side = |role| people.iter().filter(|person| person.role == role).collect::<Vec<_>>();
        let (many, few) = (side("majority"), side("minority"));
        for (group, y, role) in [(&many, plan.upper, "majority"), (&few, plan.lower, "minority")] {
            let grid = Grid::fit(group.len(), plan.zone_height);
            let labels = grid.labels(group, named);
            for ((person, spot), label) in group.iter().zip(grid.spots(y)).zip(labels) {
                tokens.push(token(w, view, person, spot, &grid, label, fate.class(role)));
            }
        }
        if let Some(operator) = people.iter().find(|person| person.role == "operator") {
            tokens.push(operator_token(w, view, operator, &plan, named));
        }
        let mut vacant = vec![];
        if tokens.is_empty() {
            let places = people.len().max(usize::from(view.min_players));
            let grid = Grid::fit(places, plan.zone_height);
            let mut spots = grid.spots(plan.mid).into_iter();
            let labels = grid.labels(&people.iter().collect::<Vec<_>>(), named);
            for ((person, label), spot) in people.iter().zip(labels).zip(spots.by_ref()) {
                tokens.push(token(w, view, person, spot, &grid, label, ""));
            }
            vacant = spots.map(|(x, y)| (n(x), n(y), n(grid.r))).collect();
        }
        let signs = signs(w, &plan, many.len(), few.len(), fate, size);
        let tram = match fate {
            Fate::Open => (38.0, plan.mid),
            Fate::SavedMany => (STOP_X, plan.lower),
            Fate::SavedFew => (STOP_X, plan.upper),
        };
        let branches = [plan.upper, plan.lower].map(|y| branch(plan.mid, y, WIDTH + 500.0));
        let main = vec![(-500.0, plan.mid), (FORK_X, plan.mid)];
        let lost = fate.lost_y(&plan);
        Board {
            id: id.to_owned(),
            full: size == Size::Full,
            height: n(plan.height),
            title: w.t("board-title"),
            desc: describe(w, view, &people),
            class: if plan.height > 240.0 { "crowd" } else { "" },
            rails: std::iter::once(&main).chain(&branches).flat_map(|path| rails(path)).collect(),
            ties: std::iter::once(&main).chain(&branches).map(|path| line(path)).collect(),
            route: lost.map(|y| line(&branch(plan.mid, y, STOP_X))),
            lever: lever(&plan, fate),
            tram: (n(tram.0), n(tram.1)),
            tokens,
            vacant,
            signs,
            glow: fate.saved_y(&plan).map(|y| {
                let group = if fate == Fate::SavedMany { &many } else { &few };
                let grid = Grid::fit(group.len(), plan.zone_height);
                let (up, down) = grid.reach(named);
                let centre = (ZONE.0 + ZONE.1) / 2.0;
                let labels = grid.labels(group, named).into_iter();
                let halves = labels.map(|label| label.map_or(0.0, |name| width(&name) / 2.0).max(grid.r));
                let reaches = grid.spots(y).into_iter().zip(halves).map(|((x, _), half)| (x - centre).abs() + half);
                let half = reaches.fold(0.0, f32::max) + 6.0;
                [n(centre - half), n(y - up - 7.0), n(half * 2.0), n(up + down + 14.0)]
            }),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Open,
    SavedMany,
    SavedFew,
}

impl Fate {
    fn of(view: &View) -> Fate {
        match view.board.selected_branch {
            Some("save_majority") => Fate::SavedMany,
            Some(_) => Fate::SavedFew,
            None => Fate::Open,
        }
    }

    fn class(self, role: &str) -> &'static str {
        match (self, role) {
            (Fate::Open, _) => "",
            (Fate::SavedMany, "majority") | (Fate::SavedFew, "minority") => "saved",
            (Fate::SavedMany | Fate::SavedFew, _) => "lost",
        }
    }

    fn saved_y(self, plan: &Plan) -> Option<f32> {
        match self {
            Fate::Open => None,
            Fate::SavedMany => Some(plan.upper),
            Fate::SavedFew => Some(plan.lower),
        }
    }

    fn lost_y(self, plan: &Plan) -> Option<f32> {
        match self {
            Fate::Open => None,
            Fate::SavedMany => Some(plan.lower),
            Fate::SavedFew => Some(plan.upper),
        }
    }
}

/// Rows of equal spots, as large as the zone allows.
struct Grid {
    count: usize,
    columns: usize,
    pitch: f32,
    r: f32,
    named: bool,
}

impl Grid {
    fn fit(count: usize, zone_height: f32) -> Grid {
        let width = ZONE.1 - ZONE.0;
        let in_a_row = width / count.max(1) as f32;
        let mut pitch = if in_a_row >= PITCH_NAMED { in_a_row.min(PITCH_MAX) } else { PITCH_MAX };
        let columns = loop {
            let columns = ((width / pitch + 0.01) as usize).max(1);
            if count.div_ceil(columns) as f32 * pitch <= zone_height {
                break columns;
            }
            pitch -= 0.5;
        };
        // Even rows look better than full ones and a remainder.
        let rows = count.div_ceil(columns).max(1);
        let columns = count.div_ceil(rows).max(1);
        let named = rows == 1 && pitch >= PITCH_NAMED;
        let r = (pitch * 0.46).min(17.5);
        if named {
            // A few stand further apart than they must, to make room for their names.
            pitch = (NAMES / count.max(1) as f32).min((width - 2.0 * r) / (count.max(2) - 1) as f32);
        }
        Grid { count, columns, pitch, r, named }
    }

    /// The name under each token, cut where it would meet the next; a short name leaves its room to its neighbours.
    fn labels(&self, group: &[&Person], named: bool) -> Vec<Option<String>> {
        if !(named && self.named) {
            return vec![None; group.len()];
        }
        let last = group.len().saturating_sub(1) as f32;
        let beside = |index: usize| {
            let taken = width(&group.get(index)?.name).min(self.pitch - 4.0) / 2.0;
            Some(self.pitch - taken - 4.0)
        };
        let label = |index: usize| {
            let edge = NAMES / 2.0 - (index as f32 - last / 2.0).abs() * self.pitch;
            let before = index.checked_sub(1).and_then(beside).unwrap_or(edge);
            let half = before.min(beside(index + 1).unwrap_or(edge));
            Some(fitted(&group[index].name, half * 2.0))
        };
        (0..group.len()).map(label).collect()
    }

    /// How far tokens and names reach above and below the track.
    fn reach(&self, named: bool) -> (f32, f32) {
        let rows = self.count.div_ceil(self.columns).max(1);
        let up = (rows as f32 - 1.0) / 2.0 * self.pitch + self.r;
        (up, if named && self.named { up + 12.0 } else { up })
    }

    fn spots(&self, y: f32) -> Vec<(f32, f32)> {
        let rows = self.count.div_ceil(self.columns).max(1);
        let centre = (ZONE.0 + ZONE.1) / 2.0;
        (0..self.count)
            .map(|index| {
                let (row, column) = (index / self.columns, index % self.columns);
                let in_row = self.columns.min(self.count - row * self.columns);
                let x = centre + (column as f32 - (in_row as f32 - 1.0) / 2.0) * self.pitch;
                (x, y + (row as f32 - (rows as f32 - 1.0) / 2.0) * self.pitch)
            })
            .collect()
    }
}

fn token(
    w: &Words,
    view: &View,
    person: &Person,
    (x, y): (f32, f32),
    grid: &Grid,
    label: Option<String>,
    fate: &'static str,
) -> Token {
    let argued = view.phase_activity.contains(&person.id);
    let waited = view.current_phase.is_some_and(|phase| phase.starts_with("phase_")) && !argued;
    let label = label.map(|name| (n(y + grid.r + 11.5), name));
    Token {
        class: classes(&[person.role, fate, if waited { "waited" } else { "" }, if person.you { "you" } else { "" }]),
        at: (n(x), n(y)),
        r: n(grid.r),
        half: n(grid.r * 0.9),
        font: n(grid.r * font_share(&person.mark)),
        mark: person.mark.clone(),
        title: tooltip(w, person, argued),
        operator: false,
        minority: person.role == "minority",
        argued,
        bubble: n((grid.r / 16.0).clamp(0.7, 1.0)),
        label,
    }
}

fn operator_token(w: &Words, view: &View, person: &Person, plan: &Plan, named: bool) -> Token {
    let (x, y) = (46.0, plan.mid + 55.0);
    let deciding = view.current_phase == Some("awaiting_decision");
    Token {
        class: classes(&["operator", if deciding { "waited" } else { "" }, if person.you { "you" } else { "" }]),
        at: (n(x), n(y)),
        r: "22".into(),
        half: "22".into(),
        font: n(15.5 * font_share(&person.mark)),
        mark: person.mark.clone(),
        title: tooltip(w, person, false),
        operator: true,
        minority: false,
        argued: false,
        bubble: String::new(),
        label: named.then(|| (n(y + 34.0), fitted(&person.name, 90.0))),
    }
}

pub(crate) fn classes(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

fn tooltip(w: &Words, person: &Person, argued: bool) -> String {
    let role =
        if person.role.is_empty() { String::new() } else { format!(" · {}", w.t(&format!("role-{}", person.role))) };
    let spoke = if argued { format!(" · {}", w.t("board-has-argued")) } else { String::new() };
    let you = if person.you { format!(" ({})", w.t("you")) } else { String::new() };
    format!("{}{you}{role}{spoke}", person.name)
}

pub(crate) fn font_share(mark: &str) -> f32 {
    match (mark.chars().count(), mark.chars().any(is_wide)) {
        (1, _) => 1.1,
        (_, true) => 0.76,
        (_, false) => 0.92,
    }
}

/// How wide a letter is at the label's size, roughly.
fn em(letter: char) -> f32 {
    match letter {
        c if is_wide(c) => 10.0,
        'i' | 'j' | 'l' | 'I' | 't' | 'f' | 'r' | ' ' | '.' | ',' | '\'' | '-' => 3.9,
        'm' | 'w' | 'M' | 'W' => 9.3,
        c if c.is_uppercase() => 7.0,
        _ => 6.1,
    }
}

fn width(text: &str) -> f32 {
    text.chars().map(em).sum()
}

/// The name, cut to fit into this width at the label's size.
pub(crate) fn fitted(name: &str, room: f32) -> String {
    if width(name) <= room {
        return name.to_owned();
    }
    let mut used = 8.0;
    let fits = |c: &char| {
        used += em(*c);
        used <= room
    };
    let cut: String = name.chars().take_while(fits).collect();
    format!("{}…", cut.trim_end())
}

fn signs(w: &Words, plan: &Plan, many: usize, few: usize, fate: Fate, size: Size) -> Vec<Sign> {
    if many + few == 0 {
        return vec![];
    }
    // A small picture has larger letters, as the stylesheet says.
    let scale = if size == Size::Mini { 15.0 / 11.0 } else { 1.0 };
    let sign = |role: &'static str, count: usize, y: f32, fate_y: f32| {
        let text = w.n(&format!("board-sign-{role}"), count);
        let width: f32 = text.chars().map(|c| if is_wide(c) { 11.0 } else { 6.7 }).sum::<f32>() * scale;
        let fate = match fate.class(role) {
            "" => None,
            class => Some((n(fate_y), w.t(&format!("board-{class}")), class)),
        };
        Sign { role, x: n(SIGN_X), y: n(y), text, shape_x: n(SIGN_X - width - 8.0), shape_y: n(y - 4.0 * scale), fate }
    };
    vec![
        sign("majority", many, plan.upper - 11.0 - 14.0 * scale, plan.upper - 11.0),
        sign("minority", few, plan.lower + 8.0 + 12.0 * scale, plan.lower + 8.0 + 26.0 * scale),
    ]
}

fn lever(plan: &Plan, fate: Fate) -> Lever {
    let (x, y) = (FORK_X - 8.0, plan.mid + 44.0);
    let lean: f32 = match fate {
        Fate::Open => 0.0,
        Fate::SavedFew => 40.0,
        Fate::SavedMany => -40.0,
    };
    let (sin, cos) = lean.to_radians().sin_cos();
    Lever { base: (n(x), n(y)), tip: (n(x + 25.0 * sin), n(y - 25.0 * cos)), mid: n(plan.mid) }
}

/// The points of a branch that leaves the fork for height `y` and runs to `end`.
fn branch(mid: f32, y: f32, end: f32) -> Vec<(f32, f32)> {
    let from = (FORK_X, mid);
    let (c1, c2, to) = ((FORK_X + 42.0, mid), (BRANCH_X - 42.0, y), (BRANCH_X, y));
    let steps = 14;
    let curve = (0..=steps).map(|step| {
        let t = step as f32 / steps as f32;
        let u = 1.0 - t;
        let mix =
            |a: f32, b: f32, c: f32, d: f32| u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d;
        (mix(from.0, c1.0, c2.0, to.0), mix(from.1, c1.1, c2.1, to.1))
    });
    curve.chain([(end, y)]).collect()
}

/// Two lines beside the path, one on either side.
fn rails(path: &[(f32, f32)]) -> Vec<String> {
    let beside = |shift: f32| {
        let points: Vec<_> = (0..path.len())
            .map(|index| {
                let (a, b) = (path[index.saturating_sub(1)], path[(index + 1).min(path.len() - 1)]);
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let len = dx.hypot(dy).max(0.001);
                (path[index].0 - dy / len * shift, path[index].1 + dx / len * shift)
            })
            .collect();
        line(&points)
    };
    vec![beside(-GAUGE), beside(GAUGE)]
}

fn line(points: &[(f32, f32)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if index == 0 { "M" } else { "L" }, n(*x), n(*y));
    }
    path
}

pub(crate) fn n(number: f32) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    format!("{rounded}")
}

fn describe(w: &Words, view: &View, people: &[Person]) -> String {
    let named = |role: &str| {
        let of_role = people.iter().filter(|person| person.role == role);
        of_role.map(|person| person.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if view.operator.is_none() {
        let names = people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>().join(", ");
        return if names.is_empty() { w.t("board-desc-empty") } else { w.t1("board-desc-waiting", "names", names) };
    }
    let mut desc = w.t1("board-desc-operator", "name", named("operator"));
    let _ = write!(desc, " {}", w.t2("board-desc-tracks", "many", named("majority"), "few", named("minority")));
    match Fate::of(view) {
        Fate::SavedMany => desc = format!("{desc} {}", w.t("board-desc-saved-majority")),
        Fate::SavedFew => desc = format!("{desc} {}", w.t("board-desc-saved-minority")),
        Fate::Open if view.phase_activity.is_empty() => {}
        Fate::Open => {
            let spoke = people.iter().filter(|person| view.phase_activity.contains(&person.id));
            let names = spoke.map(|person| person.name.as_str()).collect::<Vec<_>>().join(", ");
            let _ = write!(desc, " {}", w.t1("board-desc-argued", "names", names));
        }
    }
    desc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_any_crowd_stay_in_their_zone_and_apart() {
        for count in 1..=50 {
            let zone_height = if count > 14 { 134.0 } else { 104.0 };
            let grid = Grid::fit(count, zone_height);
            let spots = grid.spots(100.0);
            assert_eq!(spots.len(), count);
            for (index, a) in spots.iter().enumerate() {
                assert!(a.0 - grid.r >= ZONE.0 - 0.1 && a.0 + grid.r <= ZONE.1 + 0.1, "{count}: {a:?}");
                assert!((a.1 - 100.0).abs() + grid.r <= zone_height / 2.0 + 0.1, "{count}: {a:?}");
                let apart = |b: &(f32, f32)| (a.0 - b.0).hypot(a.1 - b.1) >= 2.0 * grid.r;
                assert!(spots[index + 1..].iter().all(apart), "{count}");
            }
        }
    }
}
