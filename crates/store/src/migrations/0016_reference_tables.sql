-- Content by which games are played, kept for as long as a game may be read: the rows of a table are named together by the hash of their
-- bodies, and never change. An edited file makes another set; new games name it, old games keep theirs.
create table opening_variants (
    reference text not null,
    position integer not null,
    lang text not null,
    body text not null,
    id text generated always as (body ->> '$.id') virtual,
    role_id text generated always as (body ->> '$.role_id') virtual,
    opening_text text generated always as (body ->> '$.opening_text') virtual,
    initial_stances text generated always as (body -> '$.initial_stances') virtual,
    primary key (reference, position)
) strict, without rowid;
create table ima_excerpts (
    reference text not null,
    position integer not null,
    lang text not null,
    body text not null,
    id text generated always as (body ->> '$.id') virtual,
    issue_ids text generated always as (body -> '$.issue_ids') virtual,
    excerpt_text text generated always as (body ->> '$.text') virtual,
    source text generated always as (body ->> '$.source') virtual,
    primary key (reference, position)
) strict, without rowid;
create table japan_scripts (
    reference text not null,
    position integer not null,
    lang text not null,
    body text not null,
    script_key text generated always as (body ->> '$.key') virtual,
    script_text text generated always as (body ->> '$.text') virtual,
    primary key (reference, position)
) strict, without rowid;
create table issue_definitions (
    reference text not null,
    position integer not null,
    lang text not null,
    body text not null,
    issue_id text generated always as (body ->> '$.issue_id') virtual,
    title text generated always as (body ->> '$.title') virtual,
    -- For players.
    ui_prompt text generated always as (body ->> '$.prompt') virtual,
    options text generated always as (body -> '$.options') virtual,
    -- For the minds that play delegations; players never see them.
    ai_notes text generated always as (body -> '$.ai_notes') virtual,
    primary key (reference, position)
) strict, without rowid;

-- The points at which a game can be taken up again, under the names they have in log lines.
create view checkpoint_ids as
    select 'cp-' || c.seq || '-' || substr(lower(hex(g.id)), 21, 12) as checkpoint_id, g.id as game_id, c.seq, c.at, c.status
    from checkpoints c join games g on g.n = c.game;
