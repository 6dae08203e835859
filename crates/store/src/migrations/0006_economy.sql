-- The economy: who paid whom and for what, what everybody owns, who holds which title.

-- One row is one transfer with both its ends, so that the sum over all accounts is nought whatever stands here. The house is the
-- account of sixteen noughts, and mints by owing.
create table transfers (
    n integer primary key,
    payer blob not null,
    payee blob not null,
    amount integer not null check (amount > 0),
    -- The part of it that is a bonus.
    bonus integer not null check (bonus between 0 and amount),
    reason text not null,
    -- What it is about: a game and its event, an unlock, a transfer that it takes back.
    reference text not null,
    -- The same is never paid twice.
    key text not null unique,
    at integer not null,
    -- Over the row before and this one.
    hash blob not null,
    check (payer != payee)
) strict;
create index transfers_by_payer on transfers (payer, n);
create index transfers_by_payee on transfers (payee, n);

-- Games founded before this one say nothing of who spoke.
create table economy_since (game integer not null) strict;
insert into economy_since select coalesce(max(n), 0) from games;

create table balances (
    account blob primary key,
    balance integer not null check (balance >= 0 or account = x'00000000000000000000000000000000'),
    bonus integer not null check (bonus between 0 and max(balance, 0))
) strict, without rowid;
insert into balances (account, balance, bonus) values (x'00000000000000000000000000000000', 0, 0);

-- What an account earned by which argument, with all its variants: once.
create table awards (
    account blob not null,
    lineage integer not null,
    -- Days since the first of January 1970.
    day integer not null,
    amount integer not null,
    primary key (account, lineage)
) strict, without rowid;
create index awards_by_day on awards (account, day, amount);

create table corpus_unlocks (
    id integer primary key,
    player_id blob not null,
    -- attack, defense, pack or dossier_consult
    unlock_type text not null,
    -- A hash, a pack's id, or a trial with its exchange.
    unlock_target text not null,
    paid_ia integer not null,
    author_share integer not null,
    house_share integer not null,
    unlocked_at integer not null,
    -- The payment; none if it cost nothing.
    transfer integer,
    -- The row of the archive it was bought from.
    case_id text not null,
    character_id text not null,
    -- The trial in which the archive was consulted.
    game integer,
    check (author_share + house_share = paid_ia)
) strict;
create unique index corpus_unlocks_once on corpus_unlocks (player_id, unlock_type, unlock_target);
create index corpus_unlocks_by_game on corpus_unlocks (game) where game is not null;
create unique index corpus_unlocks_by_transfer on corpus_unlocks (transfer) where transfer is not null;

create table royalty_payouts (
    payout_id integer primary key,
    recipient_id blob not null,
    source_unlock_id integer not null,
    source_type text not null,
    amount_ia integer not null check (amount_ia > 0),
    paid_at integer not null,
    -- Which argument was paid for, with all its variants.
    lineage integer not null,
    transfer integer not null
) strict;
create index royalty_payouts_by_unlock on royalty_payouts (source_unlock_id);
create unique index royalty_payouts_by_transfer on royalty_payouts (transfer);
create index royalty_payouts_by_recipient on royalty_payouts (recipient_id, payout_id);

-- What an argument has brought a champion so far: the cap is on this.
create table royalty_totals (
    lineage integer not null,
    champion blob not null,
    paid integer not null check (paid between 0 and 1000),
    primary key (lineage, champion)
) strict, without rowid;

-- For how many purchases of a buyer an author was paid on a day.
create table royalty_days (
    buyer blob not null,
    author blob not null,
    day integer not null,
    purchases integer not null,
    primary key (buyer, author, day)
) strict, without rowid;

-- Who is paid for an argument once its title has changed hands; without a row its author is.
create table thrones (
    case_id text not null,
    character_id text not null,
    -- attack or defense
    asset_type text not null,
    lineage integer not null,
    -- Null is the house.
    champion blob,
    since integer not null,
    primary key (case_id, character_id, asset_type, lineage)
) strict, without rowid;

create table throne_events (
    id integer primary key,
    case_id text not null,
    target_character text not null,
    asset_type text not null,
    asset_hash text not null,
    previous_champion blob,
    new_champion blob,
    trigger_event_id integer not null,
    created_at integer not null,
    lineage integer not null,
    -- What took the title.
    challenger_hash text not null,
    challenger_lineage integer not null,
    effectiveness_e4 integer not null,
    challenger_e4 integer not null,
    challenger_uses integer not null
) strict;
create index throne_events_by_case on throne_events (case_id, id);
create index throne_events_by_winner on throne_events (new_champion, id);
create index throne_events_by_loser on throne_events (previous_champion, id);

create table character_packs (
    pack_id text primary key,
    character_id text not null,
    case_id text not null,
    name text not null,
    description text not null,
    price_ia integer not null check (price_ia between 0 and 1000),
    curator_id blob,
    pack_metadata text not null,
    created_at integer not null
) strict;

create table pack_defenses (
    pack_id text not null,
    position integer not null,
    defense_hash text not null,
    lineage integer not null,
    -- How well it did when it was chosen, in ten-thousandths: its weight.
    effectiveness_e4 integer not null,
    primary key (pack_id, position)
) strict, without rowid;
create unique index pack_defenses_by_hash on pack_defenses (defense_hash, pack_id);

-- What the nightly job counted for each case, for pages that name nobody and quote nothing.
create table case_digests (
    case_id text primary key,
    body text not null,
    made_at integer not null
) strict, without rowid;

alter table argument_stats add column royalty_paid_total integer not null default 0;
alter table argument_stats add column current_champion_id blob;
-- Said in an open trial, where everybody reads it: it brings no royalties.
alter table arguments add column opened integer not null default 0;
-- Who spoke it itself; null for the house and for guests.
alter table spoken add column account blob;
create index spoken_by_account on spoken (account, argument) where account is not null;

-- The orders of a case's archive.
create index archive_by_effectiveness on argument_stats (case_id, effectiveness_e4, n);
create index archive_by_recency on argument_stats (case_id, used_at, n);
create index archive_by_ia on argument_stats (case_id, total_ia_won, n);
-- How often it lands when it forces a claim, then how often that was; what forced none comes last.
alter table argument_stats add column conversion_rank integer generated always as (
    case when trap_triggers = 0 then -1 else trap_lands * 10000 / trap_triggers * 1000000 + min(trap_lands, 999999) end) virtual;
create index archive_by_conversion on argument_stats (case_id, conversion_rank, n);
-- Its author's name, to sort by: 0 and the name, or 1 if it is nobody's.
alter table argument_stats add column author_key text not null default '1';
create index archive_by_author on argument_stats (case_id, author_key, n);

-- The defences given in a case, each with its words once. The triggers below keep it, whoever writes; figures are
-- those of its lineage, and move with them (`cases::recount`): a trigger would make the nightly job ten times slower.
create table case_defenses (
    n integer primary key,
    case_id text not null,
    character_id text not null,
    defense_hash text not null,
    argument integer not null,
    lineage integer not null,
    used_at integer not null,
    uses integer not null default 0,
    proved integer not null default 0,
    effectiveness_e4 integer not null default 5000,
    conversion_rank integer generated always as (
        case when uses = 0 then -1 else proved * 10000 / uses * 1000000 + min(proved, 999999) end) virtual,
    author_key text not null default '1',
    unique (defense_hash, case_id, character_id)
) strict;
create index case_defenses_by_lineage on case_defenses (lineage, character_id);
create index case_defenses_by_argument on case_defenses (argument);
create index defenses_by_effectiveness on case_defenses (case_id, effectiveness_e4, n);
create index defenses_by_recency on case_defenses (case_id, used_at, n);
create index defenses_by_conversion on case_defenses (case_id, conversion_rank, n);
create index defenses_by_author on case_defenses (case_id, author_key, n);

-- What a defence cited, by its words.
create index defense_by_hash on defense_corpus (defense_hash, character_id, outcome, id);

create trigger case_defenses_figures after insert on case_defenses begin
    update case_defenses set
        uses = coalesce((select uses from defense_stats where lineage = new.lineage and character_id = new.character_id), 0),
        proved = coalesce((select proved from defense_stats where lineage = new.lineage and character_id = new.character_id), 0),
        effectiveness_e4 = coalesce(
            (select effectiveness_e4 from defense_stats where lineage = new.lineage and character_id = new.character_id), 5000),
        author_key = coalesce((select '0' || lower(u.username) from arguments a
            join accounts u on u.id = a.author and u.deleted_at is null where a.n = new.argument), '1')
    where n = new.n;
end;
create trigger case_defenses_given after insert on defense_corpus when new.external = 0 or new.counted = 1 begin
    insert into case_defenses (case_id, character_id, defense_hash, argument, lineage, used_at)
    select new.case_id, new.character_id, new.defense_hash, n, lineage, new.created_at
    from arguments where hash = new.defense_hash
    on conflict (defense_hash, case_id, character_id) do update set used_at = max(used_at, excluded.used_at);
end;
create trigger case_defenses_kin after update of lineage on arguments when new.lineage is not old.lineage begin
    update case_defenses set lineage = new.lineage,
        uses = coalesce((select uses from defense_stats s where s.lineage = new.lineage and s.character_id = case_defenses.character_id), 0),
        proved = coalesce((select proved from defense_stats s where s.lineage = new.lineage and s.character_id = case_defenses.character_id), 0),
        effectiveness_e4 = coalesce((select effectiveness_e4 from defense_stats s
            where s.lineage = new.lineage and s.character_id = case_defenses.character_id), 5000)
    where argument = new.n;
end;
create trigger argument_stats_signed after insert on argument_stats begin
    update argument_stats set author_key = coalesce((select '0' || lower(u.username) from arguments a
        join accounts u on u.id = a.author and u.deleted_at is null where a.n = new.argument), '1')
    where n = new.n;
end;
create trigger arguments_signed after update of author on arguments when new.author is not old.author begin
    update argument_stats set author_key = coalesce(
        (select '0' || lower(username) from accounts where id = new.author and deleted_at is null), '1') where argument = new.n;
    update case_defenses set author_key = coalesce(
        (select '0' || lower(username) from accounts where id = new.author and deleted_at is null), '1') where argument = new.n;
end;
insert into case_defenses (case_id, character_id, defense_hash, argument, lineage, used_at)
    select d.case_id, d.character_id, d.defense_hash, a.n, a.lineage, max(d.created_at)
    from defense_corpus d join arguments a on a.hash = d.defense_hash where d.external = 0 or d.counted = 1
    group by d.defense_hash, d.case_id, d.character_id order by min(d.id);
update argument_stats set author_key = coalesce((select '0' || lower(u.username) from arguments a
    join accounts u on u.id = a.author and u.deleted_at is null where a.n = argument_stats.argument), '1');

create trigger transfers_stay before update on transfers begin
    select raise(abort, 'transfers is append-only');
end;
create trigger transfers_remain before delete on transfers begin
    select raise(abort, 'transfers is append-only');
end;
create trigger transfers_once before insert on transfers
when exists (select 1 from transfers where n = new.n or key = new.key) begin
    select raise(fail, 'transfers is append-only');
end;
create trigger corpus_unlocks_stay before update on corpus_unlocks begin
    select raise(abort, 'corpus_unlocks is append-only');
end;
create trigger corpus_unlocks_remain before delete on corpus_unlocks begin
    select raise(abort, 'corpus_unlocks is append-only');
end;
create trigger royalty_payouts_stay before update on royalty_payouts begin
    select raise(abort, 'royalty_payouts is append-only');
end;
create trigger royalty_payouts_remain before delete on royalty_payouts begin
    select raise(abort, 'royalty_payouts is append-only');
end;
create trigger throne_events_stay before update on throne_events begin
    select raise(abort, 'throne_events is append-only');
end;
create trigger throne_events_remain before delete on throne_events begin
    select raise(abort, 'throne_events is append-only');
end;

-- The newest meeting of attack and defence that was there when a title last changed hands: only newer ones change it again.
alter table thrones add column seen integer not null default 0;
create index thrones_by_champion on thrones (champion);
-- Which attack met which defence how often.
create index defense_by_pair on defense_corpus (lineage, attack_lineage) where counted = 1;
-- Who made an attack in a trial elsewhere.
create index argument_events_outside on argument_events (trial_id, arg_hash) where external = 1;
