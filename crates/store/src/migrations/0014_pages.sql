-- Fewer pages for each commit.

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

-- Speeches in the order in which they were made: ordered by game, each would have a page of its own.
create table speeches (
    game integer not null,
    seq integer not null,
    argument integer not null,
    case_id text not null,
    target text not null,
    player_id text not null,
    account blob
) strict;
insert into speeches select game, seq, argument, case_id, target, player_id, account from spoken order by game, seq;
drop table spoken;
alter table speeches rename to spoken;
create unique index spoken_by_game on spoken (game, seq);
create index spoken_by_argument on spoken (argument);
create index spoken_by_account on spoken (account, argument) where account is not null;
