-- Games, their logs, and the people who play them. Append-only tables refuse change in the database itself.

create table games (
    n integer primary key,
    id blob not null unique,
    kind text not null,
    rules integer not null,
    seed blob not null,
    created_at integer not null,
    unlisted integer not null,
    demo integer not null
) strict;

create table events (
    game integer not null,
    seq integer not null,
    at integer not null,
    body blob not null,
    hash blob not null
) strict;
create unique index events_by_game on events (game, seq);

create table transcript_entries (
    game integer not null,
    seq integer not null,
    at integer not null,
    name text not null,
    seat integer,
    round integer,
    phase text,
    content text,
    metadata text,
    seen_by text not null
) strict;
create unique index transcript_by_game on transcript_entries (game, seq);

create table checkpoints (
    game integer not null,
    seq integer not null,
    at integer not null,
    status text not null
) strict;
create unique index checkpoints_by_game on checkpoints (game, seq);

-- One row for each transaction: which games it brought to which end of their chains.
create table commits (
    n integer primary key,
    heads blob not null,
    hash blob not null
) strict;

-- What is left of a game that was removed on request or by retention.
create table tombstones (
    game integer primary key,
    seq integer not null,
    head blob not null,
    reason text not null,
    at integer not null
) strict;

create table game_state (
    game integer primary key,
    seq integer not null,
    at integer not null,
    status text not null,
    progress integer not null,
    body blob not null
) strict;
create index game_state_by_progress on game_state (progress, game);

-- First answers to idempotent requests.
create table answers (
    game integer not null,
    caller blob not null,
    key text not null,
    request blob not null,
    answer blob not null,
    primary key (game, caller, key)
) strict, without rowid;

-- Which accounts have sat down where.
create table players (
    account blob not null,
    game integer not null,
    primary key (account, game)
) strict, without rowid;

create table accounts (
    id blob primary key,
    email text not null unique,
    username text not null unique,
    password text not null,
    is_admin integer not null default 0,
    created_at integer not null,
    deleted_at integer
) strict;

create table sessions (
    hash blob primary key,
    account blob not null references accounts (id),
    created_at integer not null,
    expires_at integer not null
) strict;
create index sessions_by_account on sessions (account);

create table api_keys (
    id blob primary key,
    account blob not null references accounts (id),
    hash blob not null unique,
    label text not null,
    hint text not null,
    created_at integer not null,
    revoked_at integer
) strict;
create index api_keys_by_account on api_keys (account);

create table reports (
    n integer primary key,
    game_id blob not null,
    target text not null,
    reason text not null,
    reporter blob,
    created_at integer not null,
    resolved_at integer,
    resolution text
) strict;

create trigger games_stay before update on games begin
    select raise(abort, 'games is append-only');
end;
create trigger games_remain before delete on games begin
    select raise(abort, 'games is append-only');
end;
create trigger events_stay before update on events begin
    select raise(abort, 'events is append-only');
end;
create trigger events_remain before delete on events
when not exists (select 1 from tombstones where game = old.game) begin
    select raise(abort, 'events is append-only');
end;
create trigger transcript_stays before update on transcript_entries begin
    select raise(abort, 'transcript_entries is append-only');
end;
create trigger transcript_remains before delete on transcript_entries
when not exists (select 1 from tombstones where game = old.game) begin
    select raise(abort, 'transcript_entries is append-only');
end;
create trigger checkpoints_stay before update on checkpoints begin
    select raise(abort, 'checkpoints is append-only');
end;
create trigger checkpoints_remain before delete on checkpoints
when not exists (select 1 from tombstones where game = old.game) begin
    select raise(abort, 'checkpoints is append-only');
end;
create trigger commits_stay before update on commits begin
    select raise(abort, 'commits is append-only');
end;
create trigger commits_remain before delete on commits begin
    select raise(abort, 'commits is append-only');
end;
create trigger tombstones_stay before update on tombstones begin
    select raise(abort, 'tombstones is append-only');
end;
create trigger tombstones_remain before delete on tombstones begin
    select raise(abort, 'tombstones is append-only');
end;

-- REPLACE deletes without firing delete triggers, so a row may not be written twice either.
create trigger games_once before insert on games
when exists (select 1 from games where n = new.n or id = new.id) begin
    select raise(fail, 'games is append-only');
end;
create trigger events_once before insert on events
when exists (select 1 from events where game = new.game and seq = new.seq) begin
    select raise(fail, 'events is append-only');
end;
create trigger transcript_once before insert on transcript_entries
when exists (select 1 from transcript_entries where game = new.game and seq = new.seq) begin
    select raise(fail, 'transcript_entries is append-only');
end;
create trigger checkpoints_once before insert on checkpoints
when exists (select 1 from checkpoints where game = new.game and seq = new.seq) begin
    select raise(fail, 'checkpoints is append-only');
end;
create trigger commits_once before insert on commits
when exists (select 1 from commits where n = new.n) begin
    select raise(fail, 'commits is append-only');
end;
create trigger tombstones_once before insert on tombstones
when exists (select 1 from tombstones where game = new.game) begin
    select raise(fail, 'tombstones is append-only');
end;
