//! Cyrillic and Greek letters that look like Latin ones.

const TWINS: [(char, char); 31] = [
    ('а', 'a'),
    ('в', 'b'),
    ('с', 'c'),
    ('ԁ', 'd'),
    ('е', 'e'),
    ('һ', 'h'),
    ('н', 'h'),
    ('і', 'i'),
    ('ј', 'j'),
    ('к', 'k'),
    ('м', 'm'),
    ('о', 'o'),
    ('р', 'p'),
    ('ԛ', 'q'),
    ('г', 'r'),
    ('ѕ', 's'),
    ('т', 't'),
    ('ѵ', 'v'),
    ('ԝ', 'w'),
    ('х', 'x'),
    ('у', 'y'),
    ('α', 'a'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
];

/// The Latin letter that this one, in lower case, cannot be told from by eye.
pub fn twin(letter: char) -> Option<char> {
    TWINS.iter().find(|(twin, _)| *twin == letter).map(|(_, latin)| *latin)
}
