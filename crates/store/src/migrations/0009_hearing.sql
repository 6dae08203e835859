-- Speeches whose authors say that the house misheard them, with how it heard them; the words are in the transcript.
create table misheard (
    game integer not null,
    seq integer not null,
    heard text not null,
    at integer not null,
    primary key (game, seq)
) strict, without rowid;
