-- The corpus: every argument used and every defence given, with what came of it. Filled in the commit of the events it follows from.

-- Games founded before this one fed nothing.
create table corpus_since (game integer not null) strict;
insert into corpus_since select coalesce(max(n), 0) from games;

create table arguments (
    n integer primary key,
    hash text not null unique,
    text text not null,
    -- attack or defence
    side text not null,
    -- Null for minds of the house and for guests.
    author blob,
    -- A few neutral words; never the text.
    label text not null,
    -- clear, flagged, approved or rejected; counted where only statistics are kept
    status text not null,
    reasons text not null,
    -- The first of its near-duplicates; its own number if it is the first.
    lineage integer not null,
    created_at integer not null
) strict;
create index arguments_by_lineage on arguments (lineage);
create index arguments_flagged on arguments (n) where status = 'flagged';

-- Any two arguments of one lineage share one of these.
create table argument_signatures (
    element integer not null,
    argument integer not null,
    primary key (element, argument)
) strict, without rowid;

-- Which event of which game said it.
create table spoken (
    game integer not null,
    seq integer not null,
    argument integer not null,
    case_id text not null,
    target text not null,
    player_id text not null,
    primary key (game, seq)
) strict, without rowid;
create index spoken_by_argument on spoken (argument);

create table argument_stats (
    n integer primary key,
    arg_hash text not null,
    case_id text not null,
    target_character text not null,
    argument integer not null,
    listed integer not null default 0,
    uses integer not null default 0,
    trap_triggers integer not null default 0,
    trap_lands integer not null default 0,
    trap_misses integer not null default 0,
    total_ia_won integer not null default 0,
    jury_shift_sum integer not null default 0,
    avg_jury_shift real generated always as (case when uses = 0 then 0.0 else round(1.0 * jury_shift_sum / uses, 2) end) virtual,
    last_used_at integer,
    -- Uses since it last landed, that one included.
    landed_ago integer,
    -- Events from outside that count for nothing.
    external_uses integer not null default 0,
    -- Derived, in ten-thousandths: by the nightly job and by recompute.
    effectiveness_e4 integer not null default 5000,
    decay_slope_e4 integer not null default 0,
    recent_change_e4 integer not null default 0,
    recent_uses integer not null default 0,
    low_e4 integer not null default 0,
    high_e4 integer not null default 10000,
    effectiveness real generated always as (round(effectiveness_e4 / 10000.0, 3)) virtual,
    decay_slope real generated always as (round(decay_slope_e4 / 10000.0, 3)) virtual,
    unique (arg_hash, case_id, target_character)
) strict;
create index market_by_effectiveness on argument_stats (effectiveness_e4, n) where listed = 1;
create index market_by_uses on argument_stats (uses, n) where listed = 1;
create index market_by_recency on argument_stats (last_used_at, n) where listed = 1;
create index market_by_ia on argument_stats (total_ia_won, n) where listed = 1;
create index market_by_lands on argument_stats (trap_lands, n) where listed = 1;
create index market_by_age on argument_stats (n) where listed = 1;
create index stats_by_argument on argument_stats (argument);
create index stats_by_case on argument_stats (case_id, target_character, effectiveness_e4);

create table argument_events (
    id integer primary key,
    arg_hash text not null,
    trial_id text not null,
    player_id text not null,
    case_id text not null,
    target_character text not null,
    jury_shift integer not null default 0,
    triggered_extraordinary integer not null default 0,
    burden_verdict text,
    ia_change integer not null default 0,
    created_at integer not null,
    -- From outside; counted only if the operator trusts the key.
    external integer not null default 0,
    counted integer not null default 1,
    stat integer not null,
    -- The event of our own game that it is about.
    game integer,
    seq integer
) strict;
create unique index argument_events_by_speech on argument_events (game, seq) where game is not null;

create table defense_corpus (
    id integer primary key,
    defense_hash text not null,
    argument_hash text not null,
    case_id text not null,
    character_id text not null,
    mode text not null,
    full_text text not null,
    outcome text not null,
    trial_id text not null,
    author_id text,
    cited_evidence text not null,
    created_at integer not null,
    external integer not null default 0,
    counted integer not null default 1,
    angle text,
    inspired_by text,
    -- The lineages of attack and defence: what is known goes by them.
    attack_lineage integer not null,
    lineage integer not null,
    game integer,
    seq integer
) strict;
create index idx_defense_argument on defense_corpus (argument_hash, outcome);
create index idx_defense_character on defense_corpus (character_id, outcome);
create index defense_by_lineage on defense_corpus (attack_lineage, character_id, outcome, id);
create unique index defense_by_speech on defense_corpus (game, seq) where game is not null;

-- How well a defence does, by its lineage, against whatever it was used.
create table defense_stats (
    lineage integer not null,
    character_id text not null,
    uses integer not null,
    proved integer not null,
    effectiveness_e4 integer not null default 5000,
    primary key (lineage, character_id)
) strict, without rowid;

create trigger argument_events_stay before update on argument_events begin
    select raise(abort, 'argument_events is append-only');
end;
create trigger argument_events_remain before delete on argument_events begin
    select raise(abort, 'argument_events is append-only');
end;
create trigger argument_events_once before insert on argument_events
when exists (select 1 from argument_events where id = new.id or (new.game is not null and game = new.game and seq = new.seq)) begin
    select raise(fail, 'argument_events is append-only');
end;
-- Only the words go, and only with their game.
create trigger defense_corpus_stays before update on defense_corpus
when new.full_text != '' or old.game is null or not exists (select 1 from tombstones where game = old.game) begin
    select raise(abort, 'defense_corpus is append-only');
end;
create trigger defense_corpus_remains before delete on defense_corpus begin
    select raise(abort, 'defense_corpus is append-only');
end;
create trigger defense_corpus_once before insert on defense_corpus
when exists (select 1 from defense_corpus where id = new.id or (new.game is not null and game = new.game and seq = new.seq)) begin
    select raise(fail, 'defense_corpus is append-only');
end;

-- What a key may do besides playing, and whether the operator trusts it.
alter table api_keys add column scope text not null default '';
alter table api_keys add column trusted integer not null default 0;
