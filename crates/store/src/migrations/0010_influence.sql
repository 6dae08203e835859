-- What each speech of a finished game moved, as the house hears it: worked out once, after the end. Null while that is still to be done.
create table influences (
    game integer not null,
    level text not null,
    found text,
    primary key (game, level)
) strict, without rowid;
create index influences_due on influences (game) where found is null;

-- What a use of an argument turned: a hundred for each vote or leaning of the house, for its speaker, and less for each against.
create table lifts (
    game integer not null,
    seq integer not null,
    stat integer not null,
    lift integer not null,
    primary key (game, seq)
) strict, without rowid;

alter table argument_stats add column lift_sum integer not null default 0;
-- Uses whose lift is known.
alter table argument_stats add column lifted integer not null default 0;
