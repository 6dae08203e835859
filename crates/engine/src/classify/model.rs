//! A linear model in whole numbers: for each class the weights of the features that speak for or against it.
//!
//! Stored as bytes and identified by their hash; the same bytes always hear the same things.

use super::coder::{Gaps, Reader, Sort, Writer};
use std::fmt;

/// The first bytes of a model file: a name and the version of the format.
const MAGIC: [u8; 8] = *b"MOOTEAR3";
/// Scores are in thousandths of a margin.
const UNIT: i64 = 1000;
/// Numbers are multiplied by this before an integer square root, to keep its fraction.
const ROOT_SCALE: u64 = 1 << 16;
/// The most classes a model can tell apart.
const CLASSES_MAX: usize = 255;

/// The weights of one feature: class and weight.
pub(super) type WeightRow = Vec<(u8, i8)>;

/// A linear model: at most 255 classes, features in ascending order, scores in thousandths.
#[derive(Clone, PartialEq, Eq)]
pub struct Model {
    /// The names of its classes, such as `P1 asserts` or `none`.
    classes: Vec<String>,
    /// What each class starts from, in thousandths.
    biases: Vec<i32>,
    /// Thousandths that one unit of a weight is worth in a text of one feature.
    scale: u32,
    /// Known features in ascending order, and where the weights of each begin.
    features: Vec<u32>,
    starts: Vec<u32>,
    weights: Vec<(u8, i8)>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Model({} classes, {} weights)", self.classes.len(), self.weights.len())
    }
}

/// What a model makes of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scores {
    /// By class, in thousandths of a margin.
    pub by_class: Vec<i32>,
    /// How many features the text has.
    pub features: usize,
    /// How many of them the model knows.
    pub known: usize,
}

impl Model {
    /// Puts a model together. Rows are weights by class for each feature, in ascending order of features.
    pub(super) fn new(classes: Vec<String>, biases: Vec<i32>, scale: u32, rows: &[(u32, WeightRow)]) -> Self {
        assert!(classes.len() <= CLASSES_MAX && classes.len() == biases.len(), "one bias for each class");
        let mut model = Model { classes, biases, scale, features: Vec::new(), starts: Vec::new(), weights: Vec::new() };
        for (feature, row) in rows.iter().filter(|(_, row)| !row.is_empty()) {
            model.features.push(*feature);
            model.starts.push(model.weights.len() as u32);
            model.weights.extend(row);
        }
        model.starts.push(model.weights.len() as u32);
        model
    }

    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Scores the features of a text, in ascending order, for every class.
    pub fn score_features(&self, features: &[u32]) -> Scores {
        let mut sums = vec![0_i64; self.classes.len()];
        let mut known = 0;
        for feature in features {
            let Ok(place) = self.features.binary_search(feature) else { continue };
            known += 1;
            for (class, weight) in &self.weights[self.starts[place] as usize..self.starts[place + 1] as usize] {
                sums[usize::from(*class)] += i64::from(*weight);
            }
        }
        let root = ((features.len().max(1) as u64) * ROOT_SCALE).isqrt() as i64;
        let thousandths = |sum: i64| sum * i64::from(self.scale) * (ROOT_SCALE.isqrt() as i64) / root / UNIT;
        let by_class = sums.iter().zip(&self.biases).map(|(sum, bias)| thousandths(*sum) as i32 + bias).collect();
        Scores { by_class, features: features.len(), known }
    }

    /// The weight of a feature for a class, in thousandths, before it is scaled by the length of the text.
    pub fn weight(&self, feature: u32, class: usize) -> i64 {
        let Ok(place) = self.features.binary_search(&feature) else { return 0 };
        let row = &self.weights[self.starts[place] as usize..self.starts[place + 1] as usize];
        let weight = row.iter().find(|(of, _)| usize::from(*of) == class).map_or(0, |(_, weight)| *weight);
        i64::from(weight) * i64::from(self.scale) / UNIT
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut number = |number: u32| bytes.extend(number.to_le_bytes());
        number(self.scale);
        number(self.classes.len() as u32);
        number(self.features.len() as u32);
        for (name, bias) in self.classes.iter().zip(&self.biases) {
            bytes.push(name.len() as u8);
            bytes.extend(name.as_bytes());
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(self.coded_rows());
        bytes
    }

    /// Feature by feature: its distance from the last, and a weight for every class, most of them zero.
    fn coded_rows(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        let (mut gaps, mut sorts) = (Gaps::new(), vec![Sort::new(); self.classes.len()]);
        let mut last = 0;
        for (feature, row) in self.features.iter().zip(self.starts.windows(2)) {
            writer.gap(&mut gaps, feature - last);
            last = *feature;
            let (row, mut busy) = (&self.weights[row[0] as usize..row[1] as usize], 0);
            for (class, sort) in sorts.iter_mut().enumerate() {
                let weight = row.iter().find(|(of, _)| usize::from(*of) == class).map_or(0, |(_, weight)| *weight);
                writer.number(sort, busy, weight);
                busy += usize::from(weight != 0);
            }
        }
        writer.finish()
    }

    /// `None` if the bytes are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&MAGIC)?;
        let mut take = |len: usize| {
            let (taken, left) = rest.split_at_checked(len)?;
            rest = left;
            Some(taken)
        };
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u32::from_le_bytes);
        let scale = number(take(4)?)?;
        let [classes, count] = [number(take(4)?)?, number(take(4)?)?];
        let (mut names, mut biases) = (Vec::new(), Vec::new());
        for _ in 0..classes {
            let len = usize::from(*take(1)?.first()?);
            names.push(std::str::from_utf8(take(len)?).ok()?.to_owned());
            biases.push(i32::from_le_bytes(take(4)?.try_into().ok()?));
        }
        let mut reader = Reader::new(rest);
        let (mut gaps, mut sorts) = (Gaps::new(), vec![Sort::new(); names.len()]);
        let (mut features, mut starts, mut weights): (Vec<u32>, Vec<u32>, WeightRow) = (vec![], vec![0], vec![]);
        for _ in 0..count {
            if reader.ran_out {
                return None;
            }
            let last = features.last().copied().unwrap_or(0);
            features.push(last.checked_add(reader.gap(&mut gaps))?);
            let mut busy = 0;
            for (class, sort) in sorts.iter_mut().enumerate() {
                let weight = reader.number(sort, busy);
                if weight != 0 {
                    weights.push((class as u8, weight));
                    busy += 1;
                }
            }
            starts.push(weights.len() as u32);
        }
        let sound = features.is_sorted() && names.len() <= CLASSES_MAX && !reader.ran_out;
        sound.then_some(Model { classes: names, biases, scale, features, starts, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        let rows = [(3, vec![(0, 5), (1, -7)]), (700, vec![(1, 15)]), (u32::MAX, vec![(0, -1)])];
        Model::new(vec!["none".into(), "P1 asserts".into()], vec![-20, 30], 9_000, &rows)
    }

    #[test]
    fn bytes_give_back_the_same_model_and_damaged_ones_none() {
        let bytes = model().to_bytes();
        assert_eq!(Model::from_bytes(&bytes).as_ref(), Some(&model()));
        for len in 0..bytes.len() {
            assert_ne!(Model::from_bytes(&bytes[..len]).as_ref(), Some(&model()), "cut at {len}");
        }
        assert_eq!(Model::from_bytes(b"MOOTEAR9"), None);
    }

    #[test]
    fn a_score_is_the_weights_of_known_features_over_the_root_of_all() {
        let scores = model().score_features(&[3, 5, 6, 700]);
        assert_eq!((scores.known, scores.features), (2, 4));
        assert_eq!(scores.by_class, [-20 + 5 * 9 / 2, 30 + 8 * 9 / 2]);
    }
}
