-- Agents get the settings of a template only while it is Ready to Install. Until now the flag did not matter to templates:
-- those in use get it, so that nothing changes for their agents.
update packages set is_operational = true
where kind = 'AgentTemplate' and id in (select package_id from group_agent_templates);

-- A group can become an EOL or Restore group and an ordinary one again, with its members: whether it is exclusive follows
-- from its kind.
alter table group_computers
  drop constraint group_computers_group_id_fkey,
  add constraint group_computers_group_id_fkey
    foreign key (group_id, is_exclusive) references groups (id, is_exclusive) on delete cascade on update cascade;
