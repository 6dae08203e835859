-- Whose words they are, what may leave the game it was said in, what is for sale, and purchases that can be given back.

-- Terms of the economy that something was sold under; what was sold before has none and was sold under the first ones.
-- Those in force are the last.
create table terms (
    n integer primary key,
    hash text not null,
    body text not null
) strict;

-- The older argument that this one takes over, on whichever side.
alter table arguments add column origin integer;
-- Said by a mind of the house, or reported with a trusted key.
alter table arguments add column aired integer not null default 0;
-- It is a line that minds of the house may say.
alter table arguments add column of_house integer not null default 0;
-- Its author has put it up.
alter table arguments add column put_up integer not null default 0;
-- Whether it may be listed, sold, consulted, packed and put into prompts of other games: filled by the program.
alter table arguments add column released integer not null default 0;

-- Whether a mind of the house said it; null where that was not kept yet.
alter table spoken add column by_house integer;
create index argument_events_by_hash on argument_events (arg_hash) where external = 1;
create index argument_events_by_stat on argument_events (stat, trial_id) where counted = 1;

-- Different trials in which it was used, uses that did at least half of what one can, and uses that moved somebody.
alter table argument_stats add column trials integer not null default 0;
alter table argument_stats add column worked integer not null default 0;
alter table argument_stats add column moved integer not null default 0;
-- Whether its words are for sale; and in which section of the market it stands: 1 tried, 2 never tried, 0 none. Filled by the program.
alter table argument_stats add column sold integer not null default 0;
alter table argument_stats add column section integer not null default 0;
alter table defense_stats add column trials integer not null default 0;
alter table case_defenses add column low_e4 integer not null default 0;
alter table case_defenses add column sold integer not null default 0;

drop index market_by_effectiveness;
drop index market_by_uses;
drop index market_by_recency;
drop index market_by_ia;
drop index market_by_lands;
drop index market_by_age;
drop index market_featured;
drop index market_at_effectiveness;
drop index market_at_uses;
drop index market_at_recency;
drop index market_at_ia;
drop index market_at_lands;
drop index market_at_age;
create index market_by_rank on argument_stats (section, low_e4, n) where section > 0;
create index market_by_effectiveness on argument_stats (section, effectiveness_e4, n) where section > 0;
create index market_by_uses on argument_stats (section, uses, n) where section > 0;
create index market_by_recency on argument_stats (section, used_at, n) where section > 0;
create index market_by_ia on argument_stats (section, total_ia_won, n) where section > 0;
create index market_by_lands on argument_stats (section, trap_lands, n) where section > 0;
create index market_by_age on argument_stats (section, listed_at, n) where section > 0;
create index market_featured on argument_stats (section, low_e4, n) where section > 0 and recent_uses >= 3;
create index market_at_rank on argument_stats (section, case_id, target_character, low_e4, n) where section > 0;
create index market_at_effectiveness on argument_stats (section, case_id, target_character, effectiveness_e4, n) where section > 0;
create index market_at_uses on argument_stats (section, case_id, target_character, uses, n) where section > 0;
create index market_at_recency on argument_stats (section, case_id, target_character, used_at, n) where section > 0;
create index market_at_ia on argument_stats (section, case_id, target_character, total_ia_won, n) where section > 0;
create index market_at_lands on argument_stats (section, case_id, target_character, trap_lands, n) where section > 0;
create index market_at_age on argument_stats (section, case_id, target_character, listed_at, n) where section > 0;
drop index stats_by_case;
create index stats_by_case on argument_stats (case_id, target_character, low_e4, effectiveness_e4);
create index archive_by_rank on argument_stats (case_id, low_e4, n);
create index defenses_by_rank on case_defenses (case_id, low_e4, n);

-- What was claimed, and with its evidence what a defense stands on, however it is worded.
alter table defense_corpus add column claim text not null default '';
create index defense_by_stand on defense_corpus (case_id, character_id, claim, cited_evidence, id) where counted = 1 and outcome = 'proved';
create index defense_against on defense_corpus (attack_lineage, case_id, character_id, claim, cited_evidence) where counted = 1;
-- One lineage for a defense wherever it is counted: that of its words.
drop trigger defense_corpus_stays;
update defense_corpus set lineage = (select a.lineage from arguments a where a.hash = defense_hash)
    where lineage != (select a.lineage from arguments a where a.hash = defense_hash);
-- Where the claim was not kept, the words stand for it.
update defense_corpus set claim = '#' || lineage;
create trigger defense_corpus_stays before update on defense_corpus
when new.full_text != '' or old.game is null or not exists (select 1 from tombstones where game = old.game) begin
    select raise(abort, 'defense_corpus is append-only');
end;

alter table corpus_unlocks add column terms text;
alter table royalty_payouts add column terms text;
-- What each author gets of a purchase: paid when it can no longer be given back.
create table royalty_shares (
    unlock integer not null,
    lineage integer not null,
    recipient blob not null,
    amount integer not null check (amount > 0),
    due_at integer not null,
    -- due, paid, returned with the purchase, or lapsed with its recipient's account
    fate text not null,
    primary key (unlock, lineage)
) strict, without rowid;
create index royalty_shares_due on royalty_shares (due_at) where fate = 'due';
create index royalty_shares_by_recipient on royalty_shares (recipient) where fate = 'due';
insert into royalty_shares (unlock, lineage, recipient, amount, due_at, fate)
    select source_unlock_id, lineage, recipient_id, amount_ia, paid_at, 'paid' from royalty_payouts;
-- Purchases that were given back, and the transfer that did so.
create table returned (
    unlock integer primary key,
    account blob not null,
    transfer integer,
    at integer not null
) strict;
create index returned_by_account on returned (account, at);
create trigger returned_stays before update on returned begin
    select raise(abort, 'returned is append-only');
end;
create trigger returned_remains before delete on returned begin
    select raise(abort, 'returned is append-only');
end;
create view unlocks_kept as
    select * from corpus_unlocks u where not exists (select 1 from returned r where r.unlock = u.id);

-- The cap is in the terms, and nowhere else.
create table totals_of_royalties (
    lineage integer not null,
    champion blob not null,
    paid integer not null check (paid >= 0),
    primary key (lineage, champion)
) strict, without rowid;
insert into totals_of_royalties select lineage, champion, paid from royalty_totals;
drop table royalty_totals;
alter table totals_of_royalties rename to royalty_totals;

-- How often an account put something up on a day.
create table listing_days (
    account blob not null,
    day integer not null,
    listings integer not null,
    primary key (account, day)
) strict, without rowid;
