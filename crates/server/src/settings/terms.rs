//! The terms of the economy, as an operator writes them.

use commons::ledger::terms::Terms;

/// Reads a file that names the terms that differ from the usual ones, or says what is wrong with it.
pub fn read(text: &str) -> Result<Terms, String> {
    toml::from_str::<Terms>(text).map_err(|error| error.to_string())?.checked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_only_what_differs_and_nothing_unknown() {
        let terms = read("text_ia_min = 7\n[play]\nconsult_ia = 20").expect("terms");
        let usual = Terms::default();
        assert_eq!((terms.text_ia_min, terms.play.consult_ia), (7, 20));
        assert_eq!((terms.cap_ia, terms.play.juror_ia), (usual.cap_ia, usual.play.juror_ia));
        for (wrong, why) in [
            ("text_ia_mini = 7", "unknown field"),
            ("[play]\nconsult = 7", "unknown field"),
            ("text_share_percent = 101", "text_share_percent must be 0 to 100"),
            ("cap_ia = -1", "cap_ia"),
        ] {
            let said = read(wrong).expect_err("no terms");
            assert!(said.contains(why), "{said}");
        }
    }
}
