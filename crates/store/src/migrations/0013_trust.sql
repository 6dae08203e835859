-- Games between two accounts, and whether what came of their words counts: decided once, with the first ruling.
create table meetings (
    game integer primary key,
    -- The two accounts, the smaller id first.
    one blob not null,
    other blob not null,
    at integer not null,
    counts integer not null
) strict;
create index meetings_by_pair on meetings (one, other, at);
create trigger meetings_stay before update on meetings begin
    select raise(abort, 'meetings is append-only');
end;
create trigger meetings_remain before delete on meetings begin
    select raise(abort, 'meetings is append-only');
end;
create trigger meetings_once before insert on meetings
when exists (select 1 from meetings where game = new.game) begin
    select raise(fail, 'meetings is append-only');
end;
-- Until now all of them counted.
insert into meetings (game, one, other, at, counts)
    select p.game, min(p.account), max(p.account), g.created_at, 1 from players p join games g on g.n = p.game
    where exists (select 1 from argument_events e where e.game = p.game and e.counted = 1)
    group by p.game having count(*) > 1;

-- The hour in which it was earned, since the first of January 1970; 0 if that was not kept yet.
alter table awards add column hour integer not null default 0;
create index awards_by_hour on awards (account, hour, amount);

-- Who was given the welcome bonus: a hash of the mailbox, which stays when the account is deleted.
create table welcomed (person blob primary key) strict, without rowid;

-- Authors stand by what their words achieved where it counts; what buyers paid comes after that.
drop index authors_ranked;
create index authors_ranked on author_stats (lands desc, uses desc, royalties desc, name)
    where name is not null and (arguments > 0 or royalties > 0 or thrones > 0);
