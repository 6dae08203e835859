//! The rules of every kind, as sentences, and the laws on each.

mod influence;
mod listening;
mod mercury_cites;
mod mercury_course;
mod mercury_laws;
mod mercury_record;
mod mercury_rules;
mod recorded;
mod trial_laws;
mod trial_mind;
mod trial_record;
mod trial_rules;
mod tribunal_bench;
mod tribunal_consult;
mod tribunal_facts;
mod tribunal_laws;
mod tribunal_mind;
mod tribunal_own_words;
mod tribunal_record;
mod tribunal_rules;
mod trolley_course;
mod trolley_laws;
mod trolley_mind;
mod trolley_record;
mod trolley_rules;
mod trolley_table;
