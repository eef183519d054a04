-- A group of one of the trees. Triggers maintain `path` (the names from the root, joined with /) and `depth` (the steps
-- from the root).
create table groups (
  id uuid not null default new_uuid(),
  tree text not null,
  parent_id uuid,
  kind text not null default 'Ordinary',
  name text not null,
  description text,
  path text not null default '',
  depth integer not null default 0,
  -- A computer is in at most one group of which this is true.
  is_exclusive boolean not null generated always as (tree = 'ConfigurationGroups' and kind in ('System', 'Ordinary')) stored,
  created_at timestamptz not null default now(),
  constraint groups_pkey primary key (id),
  constraint groups_tree_check check (tree in ('ConfigurationGroups', 'AssignmentGroups', 'UserGroups')),
  constraint groups_kind_check check (kind in ('System', 'Ordinary', 'Reinstall', 'EOL', 'Restore')),
  constraint groups_name_check check (name !~ '[/\\]' and name ~ '\S' and length(name) <= 255),
  constraint groups_parent_check check ((kind = 'System') = (parent_id is null)),
  constraint groups_id_tree_key unique (id, tree),
  constraint groups_id_is_exclusive_key unique (id, is_exclusive),
  constraint groups_parent_id_fkey foreign key (parent_id, tree) references groups (id, tree) on delete cascade
);

create unique index groups_parent_id_name_key on groups (parent_id, lower(name));
create unique index groups_system_tree_key on groups (tree) where parent_id is null;

-- A group and one of its ancestors. The group itself is at distance 0.
create table group_ancestors (
  descendant_id uuid not null,
  ancestor_id uuid not null,
  distance integer not null,
  constraint group_ancestors_pkey primary key (descendant_id, ancestor_id),
  constraint group_ancestors_descendant_id_fkey foreign key (descendant_id) references groups (id) on delete cascade,
  constraint group_ancestors_ancestor_id_fkey foreign key (ancestor_id) references groups (id) on delete cascade
);

create index group_ancestors_ancestor_id_idx on group_ancestors (ancestor_id, distance, descendant_id);

-- New groups read what renames, moves and deletions of subtrees change, so these must not overlap. New groups do not
-- wait for each other. A transaction that needs both takes this lock before any lock on the row of a group.
create function lock_group_trees() returns void language sql volatile as $$
  select pg_advisory_xact_lock(5057003)
$$;

-- For transactions that create a group below another one: no group is renamed, moved or deleted meanwhile, but others
-- may create groups.
create function lock_group_trees_shared() returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(5057003)
$$;

create function place_new_group() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(5057003);
  select parent.path || '/' || new.name, parent.depth + 1 into new.path, new.depth
  from groups parent where parent.id = new.parent_id;
  new.path := coalesce(new.path, new.name);
  new.depth := coalesce(new.depth, 0);
  return new;
end $$;

create trigger groups_place_new before insert on groups for each row execute function place_new_group();

create function record_ancestors() returns trigger language plpgsql as $$
begin
  insert into group_ancestors (descendant_id, ancestor_id, distance)
  select new.id, new.id, 0
  union all
  select new.id, above.ancestor_id, above.distance + 1 from group_ancestors above where above.descendant_id = new.parent_id;
  return null;
end $$;

create trigger groups_record_ancestors after insert on groups for each row execute function record_ancestors();

-- Before the first row is changed: a new group that waits for the outcome of a rename to its own name has the lock.
create function await_new_groups() returns trigger language plpgsql as $$
begin
  perform lock_group_trees();
  return null;
end $$;

create trigger groups_await_new before update of name, parent_id on groups
  for each statement execute function await_new_groups();

create function follow_changed_place() returns trigger language plpgsql as $$
begin
  if new.parent_id is distinct from old.parent_id then
    if exists (select from group_ancestors where descendant_id = new.parent_id and ancestor_id = new.id) then
      raise exception 'A group cannot be moved below itself.' using errcode = 'check_violation', constraint = 'groups_cycle_check';
    end if;
    delete from group_ancestors link using group_ancestors below, group_ancestors above
    where below.ancestor_id = new.id and above.descendant_id = new.id and above.distance > 0
      and link.descendant_id = below.descendant_id and link.ancestor_id = above.ancestor_id;
    insert into group_ancestors (descendant_id, ancestor_id, distance)
    select below.descendant_id, above.ancestor_id, below.distance + above.distance + 1
    from group_ancestors below, group_ancestors above
    where below.ancestor_id = new.id and above.descendant_id = new.parent_id;
  end if;
  update groups moved
  set path = (select string_agg(named.name, '/' order by above.distance desc)
      from group_ancestors above join groups named on named.id = above.ancestor_id where above.descendant_id = moved.id),
    depth = (select max(above.distance) from group_ancestors above where above.descendant_id = moved.id)
  from group_ancestors below
  where below.ancestor_id = new.id and moved.id = below.descendant_id;
  return null;
end $$;

create trigger groups_follow_changed_place after update of name, parent_id on groups
  for each row when (new.name is distinct from old.name or new.parent_id is distinct from old.parent_id)
  execute function follow_changed_place();

-- A pending reinstall puts its computer into a group of the kind Reinstall, below the group that assigns the package.
-- Such a group assigns nothing and is not part of the desired state. This view and effective_memberships leave it out,
-- and every reader uses them.
create view permanent_groups as
  select id, tree, parent_id, kind, name, path, description
  from groups
  where kind <> 'Reinstall';

comment on view permanent_groups is 'All groups but those of pending reinstalls.';

insert into groups (tree, kind, name) values
  ('ConfigurationGroups', 'System', 'Configuration'),
  ('AssignmentGroups', 'System', 'Assignment');
