# Titles, the public archive of a case, and the authors

throne-title = Hall of Throne
throne-of = Hall of Throne: { $case }
throne-lede = The holder of an argument’s title is paid when a player buys it to read. An author holds the title until something beats the argument again and again; then the author of that takes it.
throne-best-attack = Champion attacks
throne-best-defense = Champion defenses
throne-none-attack = No attack has been weighed here yet.
throne-none-defense = No defense has been weighed here yet.
throne-col-what = About
manner-of-prove = from the record
manner-of-withdraw = withdrawn
manner-of-defend = by argument alone
throne-col-champion = Champion
throne-col-since = Since
throne-taken = title taken
throne-changes = Titles that changed hands
throne-rule = Once a day: what does worse than { $fallen }% falls to what does better than { $risen }% against it, over at least { $uses } uses and against at least { $opponents } opponents; against the house, players who used it count instead. A defense is known by the claim it stands for and the evidence it cites, however it is worded. Only what came after the last change counts for the next one.
throne-no-changes = No title has changed hands yet.
throne-took-attack = { $new } took the title of an attack from { $previous }.
throne-took-defense = { $new } took the title of a defense from { $previous }.
throne-why-attack = The defense “{ $challenger }” beat the attack “{ $label }”.
throne-why-defense = The attack “{ $challenger }” beat the defense “{ $label }”.
throne-figures = { $n ->
    [one] Its effectiveness against it: { $percent }% over 1 use.
   *[other] Its effectiveness against it: { $percent }% over { $n } uses.
}
throne-fallen = What it beat had fallen to { $percent }%.
throne-trigger = Completed by exchange { $event } of the corpus.
alias-house = the house
alias-deleted = deleted user
authors-title = Authors
pack-name = { $name } Defense Pack
pack-name-edition = { $name } Defense Pack, edition { $edition }
pack-description = { $n ->
    [one] 1 defense, proved, word for word: an answer of { $name } that held in “{ $case }”.
   *[other] { $n } defenses, every one proved, word for word: the answers of { $name } that held best in “{ $case }”.
}
public-title = Public archive
public-of = Public archive: { $case }
public-lede = A tribunal tries this case again and again: a prosecutor attacks, the accused answers, twelve jurors move. These figures say what was tried and what held. The words themselves belong to their authors and are not shown here.
public-trials = Trials run
public-uses = Attacks weighed
public-defender = Defends most
public-defenses = { $n ->
    [one] 1 defense
   *[other] { $n } defenses
}
public-sign-up = Sign up to play
public-how = How it is played
public-vectors = Most-tried attacks
public-vectors-note = By what they are about. All that are about the same count as one.
public-against = Against
public-nothing = Nothing has been tried here yet.
public-few = Nothing has been used three times yet.
public-trend = How it changed
public-trend-days = Bars: attacks weighed each day. Line: how well they went on average.
public-trend-weeks = Bars: attacks weighed each week. Line: how well they went on average.
public-trend-label = Attacks weighed and how well they went, from { $from } to { $to }
public-most = { $n ->
    [one] 1 attack
   *[other] { $n } attacks
}
public-numbers = The numbers
public-from = From
public-best-attack = Most effective attacks
public-best-defense = Most effective defenses
public-who-attack = Against
public-who-defense = Given by
public-defenders = Who defends
public-col-defenses = Defenses
public-col-proved = Proved
public-join = Could you do better?
public-join-note = Prosecute this case yourself, or answer for the accused. An account costs nothing, and what you argue is yours.
public-counted = Figures of { $date }. They are counted once a day.
authors-lede = Who wrote what is argued in the Tribunal, and how it has done. Royalties are paid whenever a player buys an argument to read; a title brings those of another author’s argument.
authors-empty = Nobody has written anything yet.
authors-col-alias = Author
authors-col-arguments = Arguments
authors-col-lands = Landed
authors-col-royalties = Royalties (IA)
authors-col-thrones = Titles taken
authors-note = Ranked by what landed where it counts: attacks whose trap closed, and defenses that were proved. Royalties are of a lifetime.
economy-title = The economy
economy-minted = Paid out by the house
economy-taken = Taken by the house
economy-circulation = In circulation
economy-house = The house’s balance
economy-reason = Reason
economy-transfers = Transfers
economy-grant = Grant IA
economy-username = Username
economy-amount = Amount (IA)
economy-note = What for; it stands in their ledger
economy-bonus = As a bonus: spent first, and carries no royalty
economy-reverse = Take a transfer back
economy-transfer = Number of the transfer
economy-reverse-note = A new transfer goes the other way round. What was read stays readable; nobody is left with less than nothing.
economy-newest = The newest transfers
economy-number = Number
economy-payer = From
economy-payee = To
economy-reverse-of = Take back transfer { $number }
economy-pack = Bind a pack
economy-pack-of = Whose defenses
economy-pack-price = Price (IA), if not the usual one
economy-pack-name = Name, if not the usual one
economy-pack-description = What is in it, if not the usual words
economy-pack-note = The best that were proved are bound, { $n } at most. The same defenses are bound once.
economy-done-packed = The pack is bound.
economy-done-packed-before = There was a pack of just these already; nothing was made.
act-pack = Bind
economy-done-granted = It is granted.
economy-done-reversed = It is taken back.
act-grant = Grant
act-reverse = Take back
reason-name-welcome = Welcome bonus
reason-name-grant = Grants
reason-name-award = Earned in play
reason-name-forfeit = Lost in play
reason-name-consult = Archive consulted
reason-name-unlock-attack = Attacks unlocked
reason-name-unlock-defense = Defenses unlocked
reason-name-unlock-pack = Packs bought
reason-name-royalty-attack = Royalties for attacks
reason-name-royalty-defense = Royalties for defenses
reason-name-royalty-pack = Royalties for packs
reason-name-reversal = Taken back
reason-name-account-closed = Accounts closed
authors-cases = What was argued, case by case
