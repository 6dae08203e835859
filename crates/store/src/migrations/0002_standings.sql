-- Agents, what finished games brought them, and what follows from that. No table belongs to one kind.

create table agents (
    id blob primary key,
    account blob not null references accounts (id),
    name text not null,
    persona text,
    created_at integer not null
) strict;
create unique index agents_by_account on agents (account, name);

-- What a game brought each seat of an account, stored with the event that ended it.
create table results (
    game integer not null,
    seat integer not null,
    agent blob not null,
    account blob not null,
    kind text not null,
    role text not null,
    points integer not null,
    won integer not null,
    rank integer,
    rated integer not null,
    at integer not null
) strict;
create unique index results_by_game on results (game, seat);
create index results_by_agent on results (agent, at, game);

-- Sums over results, kept up to date with them, so that nobody has to add them up.
create table totals (
    agent blob not null,
    kind text not null,
    role text not null,
    rated integer not null,
    games integer not null,
    wins integer not null,
    points integer not null,
    primary key (agent, kind, role, rated)
) strict, without rowid;

-- One row for each agent in each kind it has played rated games of; only those count in it.
create table ratings (
    agent blob not null,
    kind text not null,
    mu real not null,
    sigma real not null,
    games integer not null,
    wins integer not null,
    points integer not null,
    score real not null generated always as (mu - 3.0 * sigma) stored,
    primary key (agent, kind)
) strict;
create index ratings_by_kind on ratings (kind, score, points, agent);

-- How a rating came to be what it is.
create table rating_steps (
    agent blob not null,
    kind text not null,
    at integer not null,
    game integer not null,
    mu real not null,
    sigma real not null,
    primary key (agent, kind, at, game)
) strict, without rowid;

create trigger results_stay before update on results begin
    select raise(abort, 'results is append-only');
end;
create trigger results_remain before delete on results
when not exists (select 1 from tombstones where game = old.game) begin
    select raise(abort, 'results is append-only');
end;
create trigger results_once before insert on results
when exists (select 1 from results where game = new.game and seat = new.seat) begin
    select raise(fail, 'results is append-only');
end;
