//! Learning a model from labeled texts: a support vector machine, trained by dual coordinate descent.
//!
//! Only additions, multiplications, divisions and square roots, one after the other in a fixed order, so that the same examples give
//! the same bytes on every machine. Nothing here runs while a game is played.

use super::model::{Model, WeightRow};
use std::collections::BTreeMap;

/// The cost of a training error, relative to that of large weights.
const COST: f64 = 0.08;
/// An error about a rare label costs at most this many times as much.
const RARE_MAX: f64 = 1.5;
/// Passes over all examples.
const ROUNDS: usize = 40;
/// A feature in fewer texts than this is left out.
const TEXTS_MIN: usize = 3;

/// A text to learn from.
pub struct Lesson {
    /// Its features, in ascending order.
    pub features: Vec<u32>,
    /// One label of each sort, such as its point and its side.
    pub labels: Vec<String>,
}

/// Learns each sort of label separately; the model's classes are the labels of all sorts.
pub fn learn_apart(lessons: &[Lesson], bytes_max: usize) -> Model {
    let sorts = Sorts::of(lessons);
    let named = (0..sorts.count).flat_map(|sort| sorts.names(sort).into_iter().map(move |name| (sort, name)));
    let (names, learned): (Vec<&str>, Vec<Weights>) =
        named.map(|(sort, name)| (name, sorts.separate(sort, name))).unzip();
    quantised(&names, &sorts.known, &learned, bytes_max)
}

/// Learns to tell one label from all others.
pub fn learn_one(lessons: &[Lesson], name: &str, bytes_max: usize) -> Model {
    let sorts = Sorts::of(lessons);
    quantised(&[name], &sorts.known, &[sorts.separate(0, name)], bytes_max)
}

/// Lessons as sparse vectors, with the sorts of their labels.
struct Sorts<'a> {
    lessons: &'a [Lesson],
    known: BTreeMap<u32, (usize, f64)>,
    rows: Vec<Row>,
    count: usize,
}

impl<'a> Sorts<'a> {
    fn of(lessons: &'a [Lesson]) -> Self {
        let known = known_features(lessons);
        let rows = lessons.iter().map(|lesson| Row::of(lesson, &known)).collect();
        let count = lessons.first().map_or(0, |lesson| lesson.labels.len());
        assert!(lessons.iter().all(|lesson| lesson.labels.len() == count), "every lesson has every sort of label");
        Sorts { lessons, known, rows, count }
    }

    fn names(&self, sort: usize) -> Vec<&'a str> {
        let mut names: Vec<&str> = self.lessons.iter().map(|lesson| lesson.labels[sort].as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn separate(&self, sort: usize, name: &str) -> Weights {
        let mine: Vec<bool> = self.lessons.iter().map(|lesson| lesson.labels[sort] == name).collect();
        separate(&self.rows, &mine, self.names(sort).len(), self.known.len())
    }
}

/// Features that are common enough, each with its index and its worth: the rarer, the more.
fn known_features(lessons: &[Lesson]) -> BTreeMap<u32, (usize, f64)> {
    let mut texts: BTreeMap<u32, usize> = BTreeMap::new();
    for feature in lessons.iter().flat_map(|lesson| &lesson.features) {
        *texts.entry(*feature).or_default() += 1;
    }
    let worth = |count: usize| (lessons.len() as f64 / count as f64).sqrt().sqrt();
    let common = texts.into_iter().filter(|(_, count)| *count >= TEXTS_MIN);
    common.enumerate().map(|(place, (feature, count))| (feature, (place, worth(count)))).collect()
}

/// A text as a sparse vector.
struct Row {
    values: Vec<(usize, f64)>,
    square: f64,
}

impl Row {
    fn of(lesson: &Lesson, known: &BTreeMap<u32, (usize, f64)>) -> Self {
        let root = (lesson.features.len().max(1) as f64).sqrt();
        let values: Vec<(usize, f64)> = lesson
            .features
            .iter()
            .filter_map(|feature| known.get(feature))
            .map(|(at, worth)| (*at, worth / root))
            .collect();
        // One more for the bias.
        let square = values.iter().map(|(_, value)| value * value).sum::<f64>() + 1.0;
        Row { values, square }
    }
}

#[derive(Clone)]
struct Weights {
    bias: f64,
    of: Vec<f64>,
}

impl Weights {
    fn zero(len: usize) -> Self {
        Weights { bias: 0.0, of: vec![0.0; len] }
    }

    fn score(&self, row: &Row) -> f64 {
        row.values.iter().fold(self.bias, |sum, (at, value)| sum + self.of[*at] * value)
    }

    fn step(&mut self, row: &Row, by: f64) {
        self.bias += by;
        row.values.iter().for_each(|(at, value)| self.of[*at] += by * value);
    }
}

/// The weights that tell these rows from all others: squared hinge loss, solved in the dual one row at a time.
fn separate(rows: &[Row], mine: &[bool], names: usize, features: usize) -> Weights {
    let count = mine.iter().filter(|mine| **mine).count().max(1);
    // Errors about rare names cost more, so that all names cost the same in total; but capped, or rare names would be heard everywhere.
    let weight = (rows.len() as f64 / (names as f64 * count as f64)).min(RARE_MAX);
    let diagonal = |mine: bool| 0.5 / (COST * if mine { weight } else { 1.0 });
    let mut weights = Weights::zero(features);
    let mut duals = vec![0.0_f64; rows.len()];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..ROUNDS {
        shuffle(&mut order, &mut state);
        for at in &order {
            let (row, sign) = (&rows[*at], if mine[*at] { 1.0 } else { -1.0 });
            let more = diagonal(mine[*at]);
            let gradient = sign * weights.score(row) - 1.0 + more * duals[*at];
            let next = (duals[*at] - gradient / (row.square + more)).max(0.0);
            let step = next - duals[*at];
            if step != 0.0 {
                duals[*at] = next;
                weights.step(row, step * sign);
            }
        }
    }
    weights
}

fn shuffle(order: &mut [usize], state: &mut u64) {
    for last in (1..order.len()).rev() {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, ((*state >> 33) as usize) % (last + 1));
    }
}

/// Rounds the weights to a few steps and keeps as many features as fit into `bytes_max`.
fn quantised(classes: &[&str], known: &BTreeMap<u32, (usize, f64)>, summed: &[Weights], bytes_max: usize) -> Model {
    const THOUSANDTHS: f64 = 1000.0;
    // What a feature adds to a score is its weight times its worth.
    let values: Vec<(u32, Vec<f64>)> = known
        .iter()
        .map(|(feature, (at, worth))| (*feature, summed.iter().map(|weights| weights.of[*at] * worth).collect()))
        .collect();
    let mut sizes: Vec<f64> = values.iter().flat_map(|(_, row)| row.iter().map(|value| value.abs())).collect();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    // A few outliers would leave no steps for the rest.
    let largest = sizes.get(sizes.len() / GIANTS_ONE_IN).copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let step = largest / STEPS;
    let whole = |value: f64| (value / step).round().clamp(-STEPS, STEPS) as i8;
    let row = |row: &[f64]| -> WeightRow {
        let weights = row.iter().enumerate().map(|(class, value)| (class as u8, whole(*value)));
        weights.filter(|(_, weight)| *weight != 0).collect()
    };
    let mut rows: Vec<(f64, u32, WeightRow)> = values
        .iter()
        .map(|(feature, values)| {
            let says = values.iter().map(|value| value * value).sum::<f64>();
            let rare = known[feature].1;
            (says / (rare * rare * rare), *feature, row(values))
        })
        .filter(|(_, _, row)| !row.is_empty())
        .collect();
    // The features that say most, and often, come first: a rare one will hardly be met again.
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let biases: Vec<i32> = summed.iter().map(|weights| (weights.bias * THOUSANDTHS).round() as i32).collect();
    let scale = (step * THOUSANDTHS * THOUSANDTHS).round() as u32;
    let with = |count: usize| {
        let mut kept: Vec<(u32, WeightRow)> =
            rows[..count].iter().map(|(_, feature, row)| (*feature, row.clone())).collect();
        kept.sort_by_key(|(feature, _)| *feature);
        Model::new(classes.iter().map(|class| (*class).to_owned()).collect(), biases.clone(), scale, &kept)
    };
    let (mut fits, mut too_many) = (0, rows.len() + 1);
    while too_many - fits > 1 + rows.len() / 100 {
        let middle = (fits + too_many) / 2;
        if with(middle).to_bytes().len() <= bytes_max { fits = middle } else { too_many = middle }
    }
    with(fits)
}

/// Steps of a weight on either side of zero. One weight in `GIANTS_ONE_IN` may be larger than the last step and is clamped.
const STEPS: f64 = 5.0;
const GIANTS_ONE_IN: usize = 500;
