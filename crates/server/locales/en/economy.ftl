# IA: what words cost, the archive of a case, packs, and the account

purse-label = { $n ->
    [one] You have 1 IA
   *[other] You have { $n } IA
}
deal-why = effectiveness { $percent }%
words-in-en = in English
words-in-ko = in Korean
deal-unlock = Unlock
deal-unlock-of = Unlock for { $n } IA: { $label }
deal-sign-in = Sign in to unlock
deal-owned = yours to read
deal-not-sold = Not for sale: it has not moved anybody in two trials that count, and its author has not put it up.
deal-untried = never tried
deal-pay = Pay { $n } IA
deal-pay-of = Pay { $n } IA for: { $label }
deal-after = You have { $balance } IA, and { $after } IA after that.
deal-returns = If it disappoints you, you can give it back unused within { $n } minutes, and never buy it again.
deal-given-back = You have bought this before and given it back, so you cannot buy it again.
act-return = Give it back
act-return-of = Give back: { $label }
refused-given-back = You have bought this before and given it back, so you cannot buy it again.
refused-return-too-late = It is too late to give this back.
refused-used-since = You have used these words since you bought them, so you cannot give them back.
refused-too-many-returns = You have given back as many purchases today as a day allows.
refused-unlock-not-found = You have bought no such thing.
ledger-returned = Given back
deal-done = Unlocked: it is yours to read from now on.
deal-price-changed = It costs { $n } IA now. Nothing was paid; unlock it again if you still want it.
deal-short = It costs { $price } IA, and you have { $balance }.
deal-earn = IA is earned in the Tribunal, by arguments that move the jury and traps that land, and when others unlock what you wrote.
case-kicker = Case archive
case-play = Try this case
case-killers = Top Killer Attacks
case-tabs = The archive
case-tab-attacks = Attacks
case-tab-defenses = Defenses
case-tab-packs = Packs
case-free = The figures are for everybody. The words cost what they are worth.
case-filter = Who
case-empty = Nothing has been tried here yet.
case-col-rank = Rank
case-col-effectiveness = Effectiveness
case-col-conversion = Trap conversion
case-col-proved = Proved
case-col-ia = IA won
case-col-recency = Last used
case-col-author = Author
case-col-words = The words
case-against = against { $name }
case-by = given by { $name }
case-listed-by = listed by
case-said-by = said by
case-nobody = the house or a guest
case-champion = title held by { $name }
case-champion-house = title held by the house
market-packs = Pack Marketplace
packs-empty = There are no packs here yet. A pack binds the best proved defenses of one character, to be bought together.
pack-all-proved = { $n ->
    [one] 1 defense, proved
   *[other] { $n } defenses, all proved
}
pack-why = all of them together, effectiveness { $percent }% on average
pack-words-in = { $n } of them { $language }
pack-buy = Buy
pack-buy-of = Buy for { $n } IA: { $name }
pack-read = Read
pack-done = It is yours. Your intern carries it from now on: { $tag }.
pack-tag = Your intern carries it: { $tag }.
pack-closed = Until you buy it you see what the defenses are about and how they have done.
pack-proved = proved { $proved } of { $uses } times
pack-cites = cites { $evidence }
pack-removed = These words were removed.
lobby-archive = Case archives
account-ia = My IA
account-bonus = { $n } of it a bonus, which is spent first
account-of-bonus = { $n } of it a bonus
account-tags = Your intern carries:
account-ledger = What came in and went out
account-ledger-empty = Nothing has come in or gone out yet.
account-ledger-why = What for
account-ledger-when = When
account-royalties = Royalty Earnings
account-royalties-of = { $n ->
    [one] in all, from 1 purchase of your work
   *[other] in all, from { $n } purchases of your work
}
account-unlocked = Unlocked
account-unlocked-empty = You have unlocked nothing yet.
account-paid = { $n } IA
ware-attack = an attack
ware-defense = a defense
ware-pack = a pack
ledger-welcome = A bonus to begin with
ledger-grant = Given by the house
ledger-award = Earned in a trial
ledger-forfeit = Lost in a trial, where a claim was proved
ledger-consult = The archive, consulted in a trial
ledger-unlock-attack = The words of an attack
ledger-unlock-defense = The words of a defense
ledger-unlock-pack = A pack of defenses
ledger-royalty-attack = Somebody unlocked an attack of yours
ledger-royalty-defense = Somebody unlocked a defense of yours
ledger-royalty-pack = Somebody bought a pack with your work in it
ledger-reversal = A transfer taken back
ledger-account-closed = What was left when the account was closed
account-titles = Titles
account-titles-none = You hold the titles of what you wrote. None has been taken, by you or from you.
title-held = ♛ You hold this title
title-won = You took this title
title-lost = This title was taken from you
economy-terms = The terms in force
economy-terms-lede = What this server charges, pays and allows: IA, percent, days and numbers.
