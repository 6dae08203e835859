//! Names for house minds, of every kind.

use engine::roster::Lang;

pub fn house_names(lang: Lang) -> Vec<&'static str> {
    let names = match lang {
        Lang::En => include_str!("../../../briefs/names.en.txt"),
        Lang::Ko => include_str!("../../../briefs/names.ko.txt"),
    };
    names.lines().collect()
}
