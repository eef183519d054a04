-- Whether the members of a group are kept converged: what is assigned to them becomes work without an activation. A group
-- without a row has the setting of the nearest group above it that has one.
create table group_convergence (
  group_id uuid not null,
  is_on boolean not null,
  -- The rings of each wave, as JSON: those of a rollout before their computers are placed.
  rings jsonb not null,
  criteria jsonb not null,
  -- The time zone of the maintenance windows; null: that of each computer.
  time_zone text,
  -- How many computers waves may reach within a day without a person; the lower of both counts.
  expected_computers integer not null,
  expected_percent integer,
  -- From how many computers waves may remove software within a day without an approval.
  max_removals integer not null,
  -- How often software that was removed or replaced by hand is installed again on a computer within a day.
  max_repairs_per_day integer not null,
  changed_at timestamptz not null default now(),
  changed_by text not null,
  -- Set while all members have to be compared with what is assigned to them.
  marked_at timestamptz,
  -- When all members were last compared, and when the last wave began.
  compared_at timestamptz,
  wave_at timestamptz,
  -- The code of the problem that keeps the next wave from beginning.
  problem_code text,
  constraint group_convergence_pkey primary key (group_id),
  constraint group_convergence_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_convergence_expected_computers_check check (expected_computers >= 0),
  constraint group_convergence_expected_percent_check check (expected_percent between 1 and 100),
  constraint group_convergence_max_removals_check check (max_removals >= 0),
  constraint group_convergence_max_repairs_per_day_check check (max_repairs_per_day >= 0)
);

-- The groups whose members are kept converged, each with the group whose setting it has.
create view converged_groups as
  select nearest.group_id, nearest.owner_id
  from (
    select distinct on (above.descendant_id) above.descendant_id as group_id, setting.group_id as owner_id, setting.is_on
    from group_convergence setting join group_ancestors above on above.ancestor_id = setting.group_id
    order by above.descendant_id, above.distance
  ) as nearest
  where nearest.is_on;

comment on view converged_groups is 'Groups whose members are kept converged, with the group that has the setting.';

-- A change after which members may need work: of all groups at and below a group, or of one computer. There is no key or
-- reference, so no writer waits for another.
create table convergence_marks (
  id bigint generated always as identity,
  group_id uuid,
  computer_id integer,
  constraint convergence_marks_pkey primary key (id),
  constraint convergence_marks_subject_check check ((group_id is null) <> (computer_id is null))
);

-- A computer that has to be compared with what is assigned to it through the groups with the setting of this one.
create table convergence_computers (
  group_id uuid not null,
  computer_id integer not null,
  constraint convergence_computers_pkey primary key (group_id, computer_id),
  constraint convergence_computers_group_id_fkey
    foreign key (group_id) references group_convergence (group_id) on delete cascade,
  constraint convergence_computers_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

create index convergence_computers_computer_id_idx on convergence_computers (computer_id);

-- Without a group that is kept converged, a change costs one look at an empty table.
create function mark_changed_members() returns trigger language plpgsql as $$
begin
  insert into convergence_marks (computer_id)
  select distinct computer_id from changed where exists (select from group_convergence);
  return null;
end $$;

create trigger group_computers_mark_insert after insert on group_computers
  referencing new table as changed for each statement execute function mark_changed_members();
create trigger group_computers_mark_delete after delete on group_computers
  referencing old table as changed for each statement execute function mark_changed_members();

create function mark_changed_groups() returns trigger language plpgsql as $$
begin
  insert into convergence_marks (group_id)
  select distinct group_id from changed where exists (select from group_convergence);
  return null;
end $$;

create trigger group_packages_mark_insert after insert on group_packages
  referencing new table as changed for each statement execute function mark_changed_groups();
create trigger group_packages_mark_delete after delete on group_packages
  referencing old table as changed for each statement execute function mark_changed_groups();
create trigger group_language_packs_mark_insert after insert on group_language_packs
  referencing new table as changed for each statement execute function mark_changed_groups();
create trigger group_language_packs_mark_delete after delete on group_language_packs
  referencing old table as changed for each statement execute function mark_changed_groups();
create trigger group_software_classes_mark_insert after insert on group_software_classes
  referencing new table as changed for each statement execute function mark_changed_groups();
create trigger group_software_classes_mark_delete after delete on group_software_classes
  referencing old table as changed for each statement execute function mark_changed_groups();
create trigger distribution_options_mark_insert after insert on distribution_options
  referencing new table as changed for each statement execute function mark_changed_groups();
create trigger distribution_options_mark_update after update on distribution_options
  referencing new table as changed for each statement execute function mark_changed_groups();
create trigger distribution_options_mark_delete after delete on distribution_options
  referencing old table as changed for each statement execute function mark_changed_groups();
create trigger group_convergence_mark_insert after insert on group_convergence
  referencing new table as changed for each statement execute function mark_changed_groups();
create trigger group_convergence_mark_delete after delete on group_convergence
  referencing old table as changed for each statement execute function mark_changed_groups();

create function mark_groups_of_classes() returns trigger language plpgsql as $$
begin
  insert into convergence_marks (group_id)
  select distinct assignment.group_id
  from changed join group_software_classes assignment on assignment.class_id = changed.class_id
  where exists (select from group_convergence);
  return null;
end $$;

create trigger software_class_packages_mark_insert after insert on software_class_packages
  referencing new table as changed for each statement execute function mark_groups_of_classes();
create trigger software_class_packages_mark_delete after delete on software_class_packages
  referencing old table as changed for each statement execute function mark_groups_of_classes();

create function mark_moved_group() returns trigger language plpgsql as $$
begin
  insert into convergence_marks (group_id) select new.id where exists (select from group_convergence);
  return null;
end $$;

create trigger groups_mark_move after update of parent_id on groups
  for each row when (new.parent_id is distinct from old.parent_id) execute function mark_moved_group();

create function mark_groups_of_package() returns trigger language plpgsql as $$
begin
  insert into convergence_marks (group_id)
  select distinct assigned.group_id from assigned_packages assigned
  where assigned.package_id = new.id and exists (select from group_convergence);
  return null;
end $$;

create trigger packages_mark_content after update on packages
  for each row when (
    (new.content_hash, new.package_name, new.operating_systems) is distinct from
    (old.content_hash, old.package_name, old.operating_systems))
  execute function mark_groups_of_package();

-- When options were last changed: what failed before is tried again with the new ones.
alter table distribution_options add column changed_at timestamptz not null default now();

create function record_change_of_options() returns trigger language plpgsql as $$
begin
  new.changed_at := now();
  return new;
end $$;

create trigger distribution_options_record_change before update on distribution_options
  for each row execute function record_change_of_options();

alter table rollouts
  -- A wave that keeps the members of its group converged. Nobody requested it.
  add column is_wave boolean not null default false,
  -- For a wave with more computers than expected within a day: how many were expected. It stays in its first ring until a
  -- person resumes it.
  add column expected_computers integer;

-- The waves of a group: those that have not ended, and those of the last day.
create index rollouts_waves_idx on rollouts (group_id, created_at) where is_wave;

-- Software that a scan found removed from a computer, or replaced, although it is assigned to the computer through a group that
-- is kept converged.
create table software_drifts (
  id bigint generated always as identity,
  computer_id integer not null,
  package_id uuid not null,
  kind text not null,
  -- The product as the scan had reported it before, and the version that is there now; null: none.
  product_name text not null,
  product_version text,
  found_version text,
  found_at timestamptz not null default now(),
  -- When it became due again; null while the limit of the day keeps it.
  due_at timestamptz,
  constraint software_drifts_pkey primary key (id),
  constraint software_drifts_kind_check check (kind in ('Removed', 'Replaced')),
  constraint software_drifts_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint software_drifts_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- The drifts of a computer and of a package on it, and those that wait for the next day.
create index software_drifts_computer_id_idx on software_drifts (computer_id, package_id, found_at);
create index software_drifts_package_id_idx on software_drifts (package_id);
create index software_drifts_waiting_idx on software_drifts (computer_id) where due_at is null;
-- Old drifts are purged.
create index software_drifts_found_at_idx on software_drifts (found_at);

-- One row: up to which event of the log the changes of inventories were compared with what is deployed. Null while no group is
-- kept converged.
create table drift_cursor (
  singleton boolean not null default true,
  position bigint,
  constraint drift_cursor_pkey primary key (singleton),
  constraint drift_cursor_singleton_check check (singleton)
);

insert into drift_cursor default values;
