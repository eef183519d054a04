-- The rule of a group whose members follow from their properties, as JSON with lists of texts.
create table group_rules (
  group_id uuid not null,
  criteria jsonb not null,
  -- How many computers may join and leave within an hour without confirmation by a person.
  max_changes_per_hour integer not null,
  -- The changes that the service has made since the beginning of the current hour.
  hour_began_at timestamptz not null default now(),
  changes_in_hour integer not null default 0,
  -- Set when more would have changed, with what was due. Nothing changes until a person sets the rule again.
  stopped_at timestamptz,
  stopped_joining integer,
  stopped_leaving integer,
  -- The whole fleet is evaluated from time to time, in slices: up to which computer, and when that ended last.
  swept_to integer not null default 0,
  swept_at timestamptz,
  constraint group_rules_pkey primary key (group_id),
  constraint group_rules_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_rules_stopped_check check (
    (stopped_at is null) = (stopped_joining is null) and (stopped_at is null) = (stopped_leaving is null))
);

-- A computer that a person has removed from a group with a rule. The rule does not add it again.
create table group_rule_exclusions (
  group_id uuid not null,
  computer_id integer not null,
  constraint group_rule_exclusions_pkey primary key (group_id, computer_id),
  constraint group_rule_exclusions_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_rule_exclusions_computer_id_fkey
    foreign key (computer_id) references computers (id) on delete cascade
);

create index group_rule_exclusions_computer_id_idx on group_rule_exclusions (computer_id);

-- A computer for which the rules are evaluated soon. There is no key or reference, so no writer waits for another.
create table rule_candidates (
  id bigint generated always as identity,
  computer_id integer not null,
  constraint rule_candidates_pkey primary key (id)
);

create function queue_changed_computer() returns trigger language plpgsql as $$
begin
  insert into rule_candidates (computer_id) select new.id where exists (select from group_rules);
  return null;
end $$;

create trigger computers_queue_insert after insert on computers
  for each row execute function queue_changed_computer();
create trigger computers_queue_update after update on computers
  for each row when (
    (old.name, old.domain, old.os_name, old.os_edition, old.model, old.ip_address, old.reported_ip_address)
    is distinct from
    (new.name, new.domain, new.os_name, new.os_edition, new.model, new.ip_address, new.reported_ip_address))
  execute function queue_changed_computer();

create function queue_computers_of_rows() returns trigger language plpgsql as $$
begin
  insert into rule_candidates (computer_id)
  select distinct computer_id from changed where exists (select from group_rules);
  return null;
end $$;

create trigger computer_tags_queue_insert after insert on computer_tags
  referencing new table as changed for each statement execute function queue_computers_of_rows();
create trigger computer_tags_queue_delete after delete on computer_tags
  referencing old table as changed for each statement execute function queue_computers_of_rows();

-- Who leaves a configuration group may join another one.
create function queue_former_members() returns trigger language plpgsql as $$
begin
  insert into rule_candidates (computer_id)
  select distinct computer_id from changed where is_exclusive and exists (select from group_rules);
  return null;
end $$;

create trigger group_computers_queue_delete after delete on group_computers
  referencing old table as changed for each statement execute function queue_former_members();

-- The patterns of a rule for LIKE. `*` is any text and `?` any character; case does not matter.
create function like_patterns(texts text[]) returns text[] language sql immutable strict parallel safe as $$
  select array_agg(translate(regexp_replace(lower(one), '([\\%_])', '\\\1', 'g'), '*?', '%_'))
  from unnest(texts) as one
$$;

-- The texts that are networks.
create function valid_networks(texts text[]) returns inet[] language sql immutable strict parallel safe as $$
  select array_agg(valid_address(one)) from unnest(texts) as one
$$;
