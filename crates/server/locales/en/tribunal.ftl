# The Tribunal
kind-tribunal = Tribunal
kind-of-tribunal = Tribunal
kind-short-tribunal = One prosecutor, a figure of history, twelve jurors
lede-tribunal = Put a figure of history on trial. Argue from the record, catch the claim that goes too far, and move twelve jurors.
docs-tribunal = How to play the Tribunal
docs-tribunal-text = Attack, answer, ruling, burden of proof, twelve jurors.
role-bench = Bench
role-accused = Accused
role-of-bench = Bench
role-of-accused = Accused
fiction = Fiction
fiction-why = Speeches here are invented; the public record is not.
open-trial = Open trial
open-trial-why = Everybody may read what is said here.
closed-trial = Closed trial
sealed-words = The words of a closed trial belong to those in it.
sealed-here = The words are sealed.
replay-exchanges = Exchange

# Where it stands
exchange-of = Exchange { $number } of { $total }
exchange-last = Last exchange
exchange-n = exchange { $number }
part-exchange = Exchange { $number } · { $name }
step-attack = Attack
step-answer = Answer
step-ruling = Ruling
step-burden = Burden
step-burden-ruling = Burden
step-completed = Verdict
status-attack = Your turn: attack
status-answer = Your turn: answer as { $name }
status-burden = The burden is yours
status-at-attack = { $name } prepares an attack
status-at-answer = { $name } is about to answer
status-at-ruling = The bench weighs attack and answer
status-at-burden = { $name } must prove, withdraw or defend a claim
status-at-burden-ruling = The bench weighs the proof
status-condemned = Condemned: { $condemn } of twelve jurors
status-acquitted = Acquitted: { $acquit } of twelve jurors
status-hung = Hung: { $condemn } condemn, { $acquit } acquit
hint-attack = Facts of the record, with dates and sums, move jurors. Slogans do not.
hint-answer = Answer from the record. What you claim beyond it you will have to prove.
hint-burden = The bench heard a claim the record does not carry by itself.
hint-last-moved = { $moved }.
hint-dock-wait = Your words are in the room.
hint-dock-seated = You have a seat. The trial starts by itself when all three are taken.
hint-dock-prosecute = The first to sit down prosecutes, the second speaks for the accused.
hint-dock-accused = The seat that is free speaks for the accused.
hint-ia = { $n ->
    [0] The trial scored nothing, so nothing was paid.
   *[other] The trial brought you { $n } IA.
}
hint-ia-part = The trial scored { $score } IA, and { $paid } IA was paid.
hint-ia-limits = An argument pays an account once, a day brings { $n } IA at most, and nothing is paid for what a house mind argued in your place.
hint-ia-cost = The trial scored { $score } IA, and cost you { $cost } IA: an argument pays an account once, and a claim that was proved costs every time.
hint-ia-unpaid = The trial scored { $n } IA. Nothing was paid: practice, and a trial whose opponent was chosen, pay nothing.
hint-ia-guest = You scored { $n } IA. A guest is not paid; an account earns IA.
hint-ended-tribunal = The jury has been asked, and the trial is over.

# The picture
dock-title = The tribunal
dock-desc-waiting = A courtroom before the trial, with a bench, a dock and an empty jury box. Seated: { $names }.
dock-desc-prosecutor = The bench sits above; { $name } prosecutes.
dock-desc-dock = In the dock: { $names }.
dock-desc-attacked = In front stands { $name }.
dock-desc-jury = Of twelve jurors { $condemn } lean to condemn and { $acquit } to acquit.
juror-leans = Juror { $number }: { $lean }
juror-moved = moved just now
lean-condemn = { $lean }, to condemn
lean-acquit = { $lean }, to acquit
lean-undecided = 0, undecided
count-acquit = { $n } acquit
count-undecided = { $n } undecided
count-condemn = { $n } condemn
the-jury-finds = The jury finds
found-condemned = CONDEMNED
found-acquitted = ACQUITTED
found-hung = HUNG

# Forms
field-attack = Your attack
field-answer = Your answer
field-burden = The burden
attack-whom = Whom do you attack?
intern-why = Make a draft your own: sent as it is, it moves half as many jurors and pays nothing.
act-intern = Use the intern's draft
act-consult = 🔍 Consult Archive ({ $n } IA)
consult-why = Shows up to three of the most effective attacks, and uses up this exchange.
act-consult-yes = Yes, spend { $n } IA
consult-guest = The archive is paid for from an account. To consult it, sign in and begin a trial as yourself.
act-to-form = Back to your words
act-copy-attack = Copy to the argument
act-close = Close
act-reopen = What it showed
archive-title = From the archive
archive-why = The most effective attacks on { $name } in other trials. Only you are shown them.
archive-effective = { $percent }% effective
archive-uses = { $n ->
    [one] used once
   *[other] used { $n } times
}
archive-consulted = The archive was consulted
hint-consulted = The archive is open before you. Take what you can use, in this exchange or a later one.
act-attack = Attack
act-answer = Answer
act-burden = Before the bench
act-open-trial = Let everybody read it
placeholder-attack = What the record shows against them, with dates and sums
placeholder-answer = The record shows …
placeholder-burden = What the evidence shows, in your own words
count-under = { $n } at least
count-between = { $least } to { $most } characters
burden-how = How do you meet it?
mode-prove = Prove
mode-withdraw = Withdraw
mode-defend = Defend
mode-why-prove = Cite facts and say what they show
mode-why-withdraw = Give the claim up
mode-why-defend = Stand on it without evidence; harder
cite-legend = Facts you may cite, one to four

# The record
ruled-condemn = { $n ->
    [one] The ruling moves one juror to condemn
   *[other] The ruling moves { $n } jurors to condemn
}
ruled-acquit = { $n ->
    [one] The ruling moves one juror to acquit
   *[other] The ruling moves { $n } jurors to acquit
}
ruled-nobody = The ruling moves nobody
burden-proved = The claim is carried
burden-struck = The claim falls
stamp-claimed = Extraordinary claim
stamp-proved = PROVED
stamp-withdrawn = WITHDRAWN
stamp-struck = STRUCK
manner-prove = To prove the claim.
manner-prove-with = To prove the claim, citing { $evidence }.
manner-withdraw = Withdraws the claim.
manner-drafted = The intern's draft as it was: it moves half as many jurors and pays nothing.
manner-defend = Stands on the claim, without evidence.
moved-condemn = { $n ->
    [one] Moved juror { $jurors } to condemn
   *[other] Moved jurors { $jurors } to condemn
}
moved-acquit = { $n ->
    [one] Moved juror { $jurors } to acquit
   *[other] Moved jurors { $jurors } to acquit
}
moved-together = Ruling and claim together: { $moved }
moved-nobody = Moved no juror
ia-change = { $ia } IA
ia-won = Score: { $n } IA
jury-stands = { $condemn } condemn, { $acquit } acquit
note-silent = { $name } said nothing
note-consulted = { $name } consulted the archive
note-trial-opened = The doors are open: everybody may read from here on

# Boards
tab-board = Board
tab-jury = Jury
claims-title = Claims
claims-empty = Nobody has claimed more than the record bears.
exchanges-title = Exchanges
exchanges-empty = The first attack is yet to come.
ruling-gave = Ruling { $shift }
the-charge = The charge
characters-title = Charged
may-cite = May cite { $ids }
record-title = The public record
record-why = These are facts, with their dates and sources.
favours-condemn = condemns
favours-acquit = acquits
favours-neither = either way
favours-why-condemn = Helps the prosecution
favours-why-acquit = Helps the accused
favours-why-neither = Helps neither side by itself
jury-caption = How each juror leans, and which exchange moved it
jury-note = From −3 (acquit) to +3 (condemn); 0 is undecided. Each column is an exchange and what it did to the juror. Seven of twelve decide.
col-juror = Juror
col-lean = Lean
sits-title = Who sits
case-drawn-tribunal = The case is drawn when the last seat is taken.
fact-exchanges = Exchanges
fact-readers = Who reads it

# New table
new-opponent = Who speaks for the accused
new-opponent-house = A house mind, right away
new-opponent-player = Another player
new-readers = Who reads what is said
new-readers-closed = Only those in it; you can still open it before your first attack
new-readers-open = Everybody
play-case = Case to try

# Refusals
refused-length-between = Write { $least } to { $most } characters.
refused-nothing-to-consult = The archive has nothing on them that you have not used or seen. Nothing is paid, and it is still your turn.
refused-archive-needs-account = The archive is paid for from an account, and a guest has none. Sign in and play as yourself.
refused-not-in-practice = Nothing is paid in practice and demo games, so the archive is closed in them.
refused-too-late = A trial is opened before its first argument or not at all.
refused-already-open = The trial is open already.
refused-unknown-character = Choose one of those who are charged.
refused-unknown-evidence = Choose from the facts this character may cite.
refused-invalid-body-evidence = Choose one to four facts.
refused-invalid-body-exchanges = A trial has 1 to 8 exchanges.
