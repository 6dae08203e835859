-- The state of a game, from which it is continued: stored now and then, because it is large and the log has everything. What happened since
-- is read from the log.
create table snapshots (
    game integer primary key,
    -- The event after which it was taken.
    seq integer not null,
    body blob not null
) strict;
insert into snapshots (game, seq, body) select game, seq, body from game_state;
alter table game_state drop column body;
