-- What language models were asked and what they answered. For whoever runs the house; no game depends on it.

-- The stable part of prompts, kept once.
create table mind_prompts (
    hash blob not null primary key,
    words text not null
) without rowid;

create table mind_calls (
    id integer primary key,
    game integer not null references games (n),
    seat integer not null,
    seq integer not null,
    status text not null,
    attempt integer not null,
    mind text not null,
    prompt_version text not null,
    prompt blob not null references mind_prompts (hash),
    turn text not null,
    started_at integer not null,
    -- Null while it is under way.
    output text,
    error text,
    reason text,
    tokens_read integer not null default 0,
    tokens_cached integer not null default 0,
    tokens_written integer not null default 0,
    latency_ms integer not null default 0,
    cost_micros integer not null default 0
);
create index mind_calls_by_game on mind_calls (game, id);
create index mind_calls_by_prompt on mind_calls (prompt);

-- What each day has cost, whatever games were removed since.
create table mind_days (
    day integer primary key,
    cost_micros integer not null
);
