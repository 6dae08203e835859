-- What triggers worked out is worked out by the program, in the same transaction, and `verify` does it again. Who may read words is a table.

drop trigger if exists case_defenses_figures;
drop trigger if exists case_defenses_given;
drop trigger if exists case_defenses_kin;
drop trigger if exists argument_stats_signed;
drop trigger if exists arguments_signed;
drop trigger if exists author_stats_entered;
drop trigger if exists author_stats_taken;
drop trigger if exists author_stats_given;
drop trigger if exists author_stats_first_attack;
drop trigger if exists author_stats_attacked;
drop trigger if exists author_stats_first_defence;
drop trigger if exists author_stats_defended;
drop trigger if exists author_stats_paid;
drop trigger if exists author_stats_crowned;
drop trigger if exists author_stats_followed;
drop trigger if exists author_stats_renamed;
drop view if exists argument_deeds;

-- One spelling.
update arguments set side = 'defense' where side = 'defence';
update game_state set body = cast(replace(cast(body as text), '"defence":', '"defense":') as blob)
    where instr(body, cast('"defence":' as blob)) > 0;

-- Whether its words may be read, listed and recalled, and in whose figures it stands: filled by the program.
alter table arguments drop column credited;
alter table arguments add column credited blob;
alter table arguments add column readable integer not null default 0;

-- Which words an account owns, and why: those it may read.
create table words_owned (
    account blob not null,
    argument integer not null,
    -- wrote, said, bought or packed
    claim text not null,
    primary key (account, argument, claim)
) strict, without rowid;
