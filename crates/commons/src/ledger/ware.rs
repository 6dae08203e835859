//! What can be bought, and why money moves for it.

use super::terms::Terms;

/// What can be bought, or is recorded as bought. Stored by its word, which must never change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ware {
    /// The words of an attack.
    Attack,
    /// The words of a defense.
    Defense,
    /// A pack of defenses.
    Pack,
    /// A look into the archive during a game.
    Consult,
}

impl Ware {
    pub const ALL: [Ware; 4] = [Ware::Attack, Ware::Defense, Ware::Pack, Ware::Consult];

    /// As it is stored, and as clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Ware::Attack => "attack",
            Ware::Defense => "defense",
            Ware::Pack => "pack",
            Ware::Consult => "dossier_consult",
        }
    }

    /// The ware of that name.
    pub fn named(word: &str) -> Option<Ware> {
        Ware::ALL.into_iter().find(|ware| ware.word() == word)
    }

    /// Why a buyer pays.
    pub fn price_reason(self) -> Reason {
        match self {
            Ware::Attack => Reason::UnlockAttack,
            Ware::Defense => Reason::UnlockDefense,
            Ware::Pack => Reason::UnlockPack,
            Ware::Consult => Reason::Consult,
        }
    }

    /// Why its authors are paid; none for a look into the archive, which is a service of the house.
    pub fn royalty_reason(self) -> Option<Reason> {
        match self {
            Ware::Attack => Some(Reason::RoyaltyAttack),
            Ware::Defense => Some(Reason::RoyaltyDefense),
            Ware::Pack => Some(Reason::RoyaltyPack),
            Ware::Consult => None,
        }
    }

    /// The authors' share of the plain part of its price, in percent.
    pub fn share(self, terms: &Terms) -> u64 {
        match self {
            Ware::Attack | Ware::Defense => terms.text_share_percent,
            Ware::Pack => terms.pack_share_percent,
            Ware::Consult => 0,
        }
    }
}

/// Why something was paid. Stored by its word, which must never change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A new account's bonus.
    Welcome,
    /// Given by the operator.
    Grant,
    Award,
    Forfeit,
    /// The archive, consulted in a game.
    Consult,
    /// The text of an attack.
    UnlockAttack,
    /// The text of a defense.
    UnlockDefense,
    /// A pack of defenses.
    UnlockPack,
    /// To the author of an attack.
    RoyaltyAttack,
    /// To the author of a defense.
    RoyaltyDefense,
    /// To those whose defenses are in a pack.
    RoyaltyPack,
    /// A purchase that was given back.
    Returned,
    /// An earlier transfer, taken back.
    Reversal,
    /// What was left when an account was deleted.
    AccountClosed,
}

impl Reason {
    pub const ALL: [Reason; 14] = [
        Reason::Welcome,
        Reason::Grant,
        Reason::Award,
        Reason::Forfeit,
        Reason::Consult,
        Reason::UnlockAttack,
        Reason::UnlockDefense,
        Reason::UnlockPack,
        Reason::RoyaltyAttack,
        Reason::RoyaltyDefense,
        Reason::RoyaltyPack,
        Reason::Returned,
        Reason::Reversal,
        Reason::AccountClosed,
    ];

    /// As it is stored, and as clients read it.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Welcome => "welcome",
            Reason::Grant => "grant",
            Reason::Award => "award",
            Reason::Forfeit => "forfeit",
            Reason::Consult => "consult",
            Reason::UnlockAttack => "unlock_attack",
            Reason::UnlockDefense => "unlock_defense",
            Reason::UnlockPack => "unlock_pack",
            Reason::RoyaltyAttack => "royalty_attack",
            Reason::RoyaltyDefense => "royalty_defense",
            Reason::RoyaltyPack => "royalty_pack",
            Reason::Returned => "returned",
            Reason::Reversal => "reversal",
            Reason::AccountClosed => "account_closed",
        }
    }

    /// The reason of that name.
    pub fn named(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }
}
