-- What each account or network has spent on language models, by day: the key is a hash.
create table mind_payers (
    day integer not null,
    payer blob not null,
    cost_micros integer not null,
    primary key (day, payer)
) strict, without rowid;
