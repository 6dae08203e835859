//! Telling classes of texts apart by what was learned from examples: a text becomes hashed features, and a linear model in whole numbers
//! scores them. The ears of house minds and moderation are both made of this.

mod coder;
pub mod features;
pub mod grammar;
pub mod learn;
pub mod model;
pub mod text;
