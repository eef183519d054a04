-- A pending reinstall puts its computer into a group of the kind Reinstall, below the group that assigns the package. Such a
-- group assigns nothing and is no part of the desired state. These views say so, and every reader uses them.

create view permanent_groups as
  select id, tree, parent_id, kind, name, path, description
  from groups
  where kind <> 'Reinstall';

comment on view permanent_groups is 'All groups but those of pending reinstalls.';

create view effective_memberships as
  select member.computer_id, member.group_id, own.tree, own.path
  from group_computers member
    join groups own on own.id = member.group_id
  where own.kind <> 'Reinstall';

comment on view effective_memberships is
  'The memberships through which assignments, variables and activations reach a computer.';
