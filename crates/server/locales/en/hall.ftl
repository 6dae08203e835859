# Titles, the public archive of a case, and the authors

throne-title = Hall of Throne
throne-of = Hall of Throne: { $case }
throne-lede = Whoever holds the title of an argument is paid when somebody reads it. An author holds the title until something beats the argument again and again; then whoever wrote that takes it.
throne-best-attack = Champion attacks
throne-best-defense = Champion defences
throne-none-attack = No attack has been weighed here yet.
throne-none-defense = No defence has been weighed here yet.
throne-col-what = About
throne-col-champion = Champion
throne-col-since = Since
throne-taken = title taken
throne-changes = Titles that changed hands
throne-rule = Once a day: what does worse than 30% falls to whatever does better than 70% against it, over at least five uses and against at least three opponents. Only what came after the last change counts for the next one.
throne-no-changes = No title has changed hands yet.
throne-took-attack = { $new } took the title of an attack from { $previous }.
throne-took-defense = { $new } took the title of a defence from { $previous }.
throne-why-attack = The defence “{ $challenger }” beat the attack “{ $label }”.
throne-why-defense = The attack “{ $challenger }” beat the defence “{ $label }”.
throne-figures = { $n ->
    [one] Its effectiveness against it: { $percent }% over 1 use.
   *[other] Its effectiveness against it: { $percent }% over { $n } uses.
}
throne-fallen = What it beat had fallen to { $percent }%.
throne-trigger = Completed by exchange { $event } of the corpus.
alias-house = the house
alias-deleted = deleted user
hall-case = The case
hall-archive = Public archive
authors-title = Authors
