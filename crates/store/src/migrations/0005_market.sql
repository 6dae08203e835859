-- The market of arguments, their moderation, and what outside games report.

-- Which key reported it.
alter table argument_events add column key blob;
alter table defense_corpus add column key blob;

-- Since when it waits to be listed, and since when it is.
alter table argument_stats add column wanted_at integer;
alter table argument_stats add column listed_at integer;
-- What was never used comes after everything that was.
alter table argument_stats add column used_at integer generated always as (coalesce(last_used_at, 0)) virtual;

drop index market_by_recency;
drop index market_by_age;
create index market_by_recency on argument_stats (used_at, n) where listed = 1;
create index market_by_age on argument_stats (listed_at, n) where listed = 1;
-- By what the nightly job knows, like the effectiveness itself: an index over uses would be moved by every one of them.
create index market_featured on argument_stats (effectiveness_e4, n) where listed = 1 and recent_uses >= 3;
-- The same orders among the arguments against one character.
create index market_at_effectiveness on argument_stats (case_id, target_character, effectiveness_e4, n) where listed = 1;
create index market_at_uses on argument_stats (case_id, target_character, uses, n) where listed = 1;
create index market_at_recency on argument_stats (case_id, target_character, used_at, n) where listed = 1;
create index market_at_ia on argument_stats (case_id, target_character, total_ia_won, n) where listed = 1;
create index market_at_lands on argument_stats (case_id, target_character, trap_lands, n) where listed = 1;
create index market_at_age on argument_stats (case_id, target_character, listed_at, n) where listed = 1;

create index defense_by_angle on defense_corpus (attack_lineage, character_id, angle) where angle is not null;
create index arguments_by_author on arguments (author, n) where author is not null;

-- First answers to outside games, so that a report that is sent twice is counted once.
create table outside_answers (
    caller blob not null,
    key text not null,
    request blob not null,
    answer blob not null,
    created_at integer not null,
    primary key (caller, key)
) strict, without rowid;

-- What somebody decided about an argument, and why.
create table decisions (
    n integer primary key,
    argument integer not null,
    -- approved or rejected
    decision text not null,
    note text not null,
    moderator blob not null,
    created_at integer not null
) strict;
create index decisions_by_argument on decisions (argument, n);
create trigger decisions_stay before update on decisions begin
    select raise(abort, 'decisions is append-only');
end;
create trigger decisions_remain before delete on decisions begin
    select raise(abort, 'decisions is append-only');
end;
create trigger decisions_once before insert on decisions when exists (select 1 from decisions where n = new.n) begin
    select raise(fail, 'decisions is append-only');
end;
