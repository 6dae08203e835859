-- Names that look alike are one name: each account has the key that its name folds to, so that no other takes a twin of it.

-- Null for whoever is gone.
alter table accounts add column name_key text;
-- Nought; or, of those who were there before names were folded, how many had a name that folds to the same before it.
alter table accounts add column name_clash integer not null default 0;
create unique index accounts_by_name_key on accounts (name_key, name_clash);
