# The market of arguments

nav-market = Market
market-title = The market of arguments
market-lede = Arguments that their authors have put up, with how they have done in every trial they were used in. The figures are for everybody; the words cost what they are worth.
market-all = All
market-featured = Featured
market-shown = What is shown
market-filter = Against
market-anybody = anybody
market-everyone-in = everyone in this case
act-filter = Show
market-empty = Nothing is listed here yet.
market-top = Back to the top
market-more = More
market-by = by { $author }
market-yours = yours
market-read-own = Read it
market-table = Listed arguments
market-col-argument = Argument
market-col-effectiveness = Effectiveness
market-col-uses = Uses
market-col-lands = Traps landed
market-col-ia = IA won
market-col-recency = Last used
market-col-newest = Listed
market-never = never
market-sort-by = Sort by { $what }
market-eff-label = Effectiveness: { $percent }%
market-uses = { $n ->
    [one] 1 use
   *[other] { $n } uses
}
market-interval = between { $low }% and { $high }%
fresh-never-used = Never used
fresh-never-reused = Never reused — premium fresh
fresh-never-landed = Never landed
fresh-last-landed = { $n ->
    [one] Last landed: 1 trial ago
   *[other] Last landed: { $n } trials ago
}
market-decay = { $figure } over last { $n } uses
market-conversion = Trap conversion: { $lands }/{ $triggers }
market-nightly = Effectiveness and its change are worked out once a day; the other figures are of this moment.
market-list-title = Put up an argument of your own
market-list-note = It must be your own, of 20 to 600 characters. It is looked at first; whatever is flagged waits for a moderator.
market-list-sign-in = Sign in to put up an argument of your own.
market-field-argument = The argument
market-field-against = Against
market-field-label = What it is about
market-label-note = Up to 48 characters that everybody sees. Do not quote the argument. Left empty, it is named for you.
act-list = Put it up
act-unlist = Take it back
market-done-listed = It is on the market now.
market-done-waiting = A moderator will look at it first, because:
account-arguments = My arguments
account-arguments-note = What you have said in the Tribunal or put up on the market, with its words. Only you see them here.
account-arguments-empty = You have argued nothing yet.
state-listed = on the market
state-waiting = waits for a moderator
state-rejected = rejected
state-unlisted = not on the market
market-note = A moderator wrote: { $note }
act-unlist-of = Take back: { $label }
act-list-of = Put up: { $label }
key-scope-corpus = reports to the corpus
key-trusted = trusted
field-key-corpus = May report to the corpus what happens in games elsewhere
admin-flagged = Flagged arguments
admin-flagged-empty = Nothing waits to be looked at.
admin-flagged-more = More
admin-side-attack = An attack
admin-side-defence = A defence
admin-wanted = waits to be listed
admin-nobody = nobody’s
admin-note = A note for its author
act-approve = Approve
act-reject = Reject
refused-unfit-text = It is not on the market yet.
refused-unfit-label = Say in up to 48 characters what it is about, in words fit for a courtroom that do not quote it.
refused-not-your-argument = Somebody else has said this before; only what is your own can be put up.
refused-not-an-attack = This is known as a defence; only attacks are put up.
refused-argument-removed = These words were removed and cannot be put up.
refused-argument-rejected = A moderator has rejected this argument.
refused-too-many-listings = You have too many arguments on the market; take one back first.
refused-argument-not-found = You have no such argument.
refused-unknown-target = Choose whom it is against.
refused-nothing-to-decide = There is nothing to decide about these words.
