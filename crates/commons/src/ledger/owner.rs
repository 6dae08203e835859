//! Whether two accounts belong to one person, as far as their email addresses tell. Addresses are not verified, so this stops the careless,
//! not the determined.

/// Mail hosts that ignore dots in a name.
const DOTLESS: [&str; 2] = ["gmail.com", "googlemail.com"];

/// Whether two addresses reach one person.
pub fn is_same(one: &str, other: &str) -> bool {
    mailbox(one) == mailbox(other)
}

/// One name for all spellings of an address: case, quotes, what follows a plus sign and a dot at the end do not count, nor do dots where
/// the host ignores them.
pub fn mailbox(email: &str) -> String {
    let email = email.to_lowercase().replace('"', "");
    let Some((name, host)) = email.rsplit_once('@') else { return email };
    let (name, host) = (name.split('+').next().unwrap_or(name), host.trim_end_matches('.'));
    if DOTLESS.contains(&host) {
        return format!("{}@{}", name.replace('.', ""), DOTLESS[0]);
    }
    format!("{name}@{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_an_address_are_one_mailbox() {
        for spelling in ["mal@evil.org", "MAL+x@EVIL.org", "mal@evil.org.", "\"mal\"@evil.org"] {
            assert_eq!(mailbox(spelling), "mal@evil.org");
        }
        assert!(is_same("m.a.l@googlemail.com", "mal+1@gmail.com"));
        assert!(!is_same("m.al@evil.org", "mal@evil.org"));
    }
}
