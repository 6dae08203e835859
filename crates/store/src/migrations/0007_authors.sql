-- What each author's words have done and brought. The triggers below keep it, whoever writes, so that the list of authors is read
-- along an index and is right the moment something changes; `verify` counts it anew.

-- In whose figures an argument stands: its author's, while its words may be read.
alter table arguments add column credited blob generated always as (
    case when status in ('clear', 'approved') and text != '' then author end) virtual;

create table author_stats (
    account blob primary key,
    -- To sort by; null for whoever is gone.
    name text,
    arguments integer not null default 0,
    uses integer not null default 0,
    -- Attacks that landed, defences that were proved.
    lands integer not null default 0,
    royalties integer not null default 0,
    -- Titles it took and still holds.
    thrones integer not null default 0
) strict, without rowid;
create index authors_ranked on author_stats (royalties desc, lands desc, uses desc, name)
    where name is not null and (arguments > 0 or royalties > 0 or thrones > 0);

-- What came of an argument so far: an attack's own uses, and those of all variants of a defence with the first of them.
create view argument_deeds as
    select n, credited,
        case side when 'attack' then coalesce((select sum(uses) from argument_stats where argument = a.n), 0)
            else coalesce((select sum(uses) from defense_stats where lineage = a.n), 0) end as uses,
        case side when 'attack' then coalesce((select sum(trap_lands) from argument_stats where argument = a.n), 0)
            else coalesce((select sum(proved) from defense_stats where lineage = a.n), 0) end as lands
    from arguments a;

insert into author_stats (account, name, arguments, uses, lands, royalties, thrones)
    select o.account, u.username, coalesce(w.arguments, 0), coalesce(w.uses, 0), coalesce(w.lands, 0), coalesce(p.royalties, 0),
        coalesce(h.thrones, 0)
    from (select credited as account from arguments where credited is not null union select recipient_id from royalty_payouts
        union select champion from thrones where champion is not null) o
    left join accounts u on u.id = o.account and u.deleted_at is null
    left join (select credited, count(*) arguments, sum(uses) uses, sum(lands) lands from argument_deeds group by credited) w
        on w.credited = o.account
    left join (select recipient_id, sum(amount_ia) royalties from royalty_payouts group by recipient_id) p
        on p.recipient_id = o.account
    left join (select champion, count(*) thrones from thrones group by champion) h on h.champion = o.account;

create trigger author_stats_entered after insert on arguments when new.credited is not null begin
    insert into author_stats (account, name, arguments, uses, lands)
        select credited, (select username from accounts where id = credited and deleted_at is null), 1, uses, lands
        from argument_deeds where n = new.n
    on conflict (account) do update set
        arguments = arguments + 1, uses = uses + excluded.uses, lands = lands + excluded.lands;
end;
-- Taken from whoever it stood with, and given to whoever it stands with then: often the same.
create trigger author_stats_taken before update of text, side, author, status on arguments when old.credited is not null begin
    update author_stats set arguments = arguments - 1,
        uses = uses - (select uses from argument_deeds where n = old.n),
        lands = lands - (select lands from argument_deeds where n = old.n)
    where account = old.credited;
end;
create trigger author_stats_given after update of text, side, author, status on arguments when new.credited is not null begin
    insert into author_stats (account, name, arguments, uses, lands)
        select credited, (select username from accounts where id = credited and deleted_at is null), 1, uses, lands
        from argument_deeds where n = new.n
    on conflict (account) do update set
        arguments = arguments + 1, uses = uses + excluded.uses, lands = lands + excluded.lands;
end;

create trigger author_stats_first_attack after insert on argument_stats when new.uses != 0 or new.trap_lands != 0 begin
    update author_stats set uses = uses + new.uses, lands = lands + new.trap_lands
    where account = (select credited from arguments where n = new.argument and side = 'attack');
end;
create trigger author_stats_attacked after update of uses, trap_lands on argument_stats begin
    update author_stats set uses = uses + new.uses - old.uses, lands = lands + new.trap_lands - old.trap_lands
    where account = (select credited from arguments where n = new.argument and side = 'attack');
end;
create trigger author_stats_first_defence after insert on defense_stats begin
    update author_stats set uses = uses + new.uses, lands = lands + new.proved
    where account = (select credited from arguments where n = new.lineage and side = 'defence');
end;
create trigger author_stats_defended after update of uses, proved on defense_stats begin
    update author_stats set uses = uses + new.uses - old.uses, lands = lands + new.proved - old.proved
    where account = (select credited from arguments where n = new.lineage and side = 'defence');
end;

create trigger author_stats_paid after insert on royalty_payouts begin
    insert into author_stats (account, name, royalties)
        values (new.recipient_id, (select username from accounts where id = new.recipient_id and deleted_at is null), new.amount_ia)
    on conflict (account) do update set royalties = royalties + excluded.royalties;
end;
create trigger author_stats_crowned after insert on thrones when new.champion is not null begin
    insert into author_stats (account, name, thrones)
        values (new.champion, (select username from accounts where id = new.champion and deleted_at is null), 1)
    on conflict (account) do update set thrones = thrones + 1;
end;
create trigger author_stats_followed after update of champion on thrones when new.champion is not old.champion begin
    update author_stats set thrones = thrones - 1 where account = old.champion;
    insert into author_stats (account, name, thrones)
        select new.champion, (select username from accounts where id = new.champion and deleted_at is null), 1
        where new.champion is not null
    on conflict (account) do update set thrones = thrones + 1;
end;
create trigger author_stats_renamed after update of username, deleted_at on accounts begin
    update author_stats set name = case when new.deleted_at is null then new.username end where account = new.id;
end;
