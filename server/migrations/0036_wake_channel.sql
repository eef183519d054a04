-- The processes of the service that keep wake connections. A process that no longer renews its row has died.
create table wake_nodes (
  id uuid not null,
  seen_at timestamptz not null default now(),
  constraint wake_nodes_pkey primary key (id)
);

-- The computers whose agents keep a wake connection, or have lost it lately. Without foreign keys: a process writes the rows
-- of many computers in one statement, which must not wait for the lock of one of them. The triggers on agents delete what
-- has no agent any more.
create table wake_connections (
  computer_id integer not null,
  -- The process that keeps the connection; null if it has ended.
  node_id uuid,
  connected_since timestamptz not null default now(),
  disconnected_at timestamptz,
  constraint wake_connections_pkey primary key (computer_id),
  constraint wake_connections_state_check check ((node_id is null) = (disconnected_at is not null))
) with (fillfactor = 80);

create index wake_connections_node_id_idx on wake_connections (node_id);

create view connected_computers as
  select connection.computer_id, connection.connected_since
  from wake_connections connection join wake_nodes node on node.id = connection.node_id
  where node.seen_at > now() - interval '60 seconds';

comment on view connected_computers is 'The computers whose agents have a wake connection now.';

-- What a process still has to do for an agent: ask it for a contact, or close its connection. The process that keeps the
-- connection deletes the row. Without a unique key so that transactions never wait for each other here.
create table wake_calls (
  id bigint generated always as identity,
  computer_id integer not null,
  -- Set if the connection has to be closed: the process that keeps it.
  closed_by uuid,
  created_at timestamptz not null default now(),
  constraint wake_calls_pkey primary key (id)
);

-- Calls the agents of computers. Those that are not connected, and were not lately, find out at their next contact.
create function call_agents(computers integer[]) returns void language plpgsql as $$
begin
  insert into wake_calls (computer_id)
  select called.computer_id
  from (select distinct unnest(computers) as computer_id) as called
    cross join lateral (
      select from wake_connections connection where connection.computer_id = called.computer_id offset 0
    ) as connection;
  if found then
    perform pg_notify('muster_wake', '');
  end if;
end $$;

create function call_agents_for_work() returns trigger language plpgsql as $$
begin
  perform call_agents(array(select distinct computer_id from inserted));
  return null;
end $$;

create trigger work_call_agents after insert on work
  referencing new table as inserted for each statement execute function call_agents_for_work();

-- The computers that the agent templates of a group reach, whether or not another one is effective.
create function computers_below(top uuid) returns integer[] language sql stable as $$
  select array(
    select distinct member.computer_id
    from group_ancestors below join group_computers member on member.group_id = below.descendant_id
    where below.ancestor_id = top)
$$;

create function call_agents_for_template() returns trigger language plpgsql as $$
begin
  if exists (select from wake_connections) then
    perform call_agents(computers_below(case when tg_op = 'DELETE' then old.group_id else new.group_id end));
  end if;
  return null;
end $$;

create trigger group_agent_templates_call_agents after insert or update or delete on group_agent_templates
  for each row execute function call_agents_for_template();

create function call_agents_for_template_content() returns trigger language plpgsql as $$
begin
  if exists (select from wake_connections) then
    perform call_agents(computers_below(assignment.group_id)) from group_agent_templates assignment
    where assignment.package_id = new.id;
  end if;
  return null;
end $$;

create trigger packages_call_agents after update of manifest, is_operational, hash_state on packages
  for each row
  when (new.kind = 'AgentTemplate' and (old.manifest, old.is_operational, old.hash_state)
    is distinct from (new.manifest, new.is_operational, new.hash_state))
  execute function call_agents_for_template_content();

create function call_agents_for_membership() returns trigger language plpgsql as $$
begin
  if exists (select from group_agent_templates) then
    perform call_agents(array(select computer_id from changed));
  end if;
  return null;
end $$;

create trigger group_computers_call_agents_of_members after insert on group_computers
  referencing new table as changed for each statement execute function call_agents_for_membership();
create trigger group_computers_call_agents_of_former_members after delete on group_computers
  referencing old table as changed for each statement execute function call_agents_for_membership();

-- Work that waited for the end of a freeze.
create function call_agents_after_freeze() returns trigger language plpgsql as $$
begin
  perform call_agents(array(
    select connection.computer_id from wake_connections connection
    -- One part for each of the two partial indexes on open work.
    where exists (
      select from work
      where work.computer_id = connection.computer_id and work.state in ('Due', 'Leased') and work.package_id is not null
      offset 0) or exists (
      select from work
      where work.computer_id = connection.computer_id and work.state in ('Due', 'Leased') and work.package_id is null
      offset 0)));
  return null;
end $$;

create trigger installation_call_agents after update of frozen_at on installation
  for each row when (old.frozen_at is not null and new.frozen_at is null) execute function call_agents_after_freeze();

-- A connection ends with the credential with which it was opened.
create function end_wake_connections(computers integer[]) returns void language plpgsql as $$
begin
  with ended as (
    delete from wake_connections where computer_id = any(array(
      select computer_id from wake_connections where computer_id = any(computers) order by computer_id for update))
    returning computer_id, node_id
  )
  insert into wake_calls (computer_id, closed_by) select computer_id, node_id from ended where node_id is not null;
  if found then
    perform pg_notify('muster_wake', '');
  end if;
end $$;

create function end_wake_connection_of_agent() returns trigger language plpgsql as $$
begin
  perform end_wake_connections(array[new.computer_id]);
  return null;
end $$;

create trigger agents_end_wake_connection after update of secret_hash on agents
  for each row when (old.secret_hash is distinct from new.secret_hash) execute function end_wake_connection_of_agent();

create function end_wake_connections_of_agents() returns trigger language plpgsql as $$
begin
  perform end_wake_connections(array(select computer_id from deleted));
  return null;
end $$;

create trigger agents_end_wake_connections after delete on agents
  referencing old table as deleted for each statement execute function end_wake_connections_of_agents();

-- Recorded whenever the fleet is counted, as the other states.
alter table computer_summaries
  add column connection text not null default 'NotConnected',
  add constraint computer_summaries_connection_check check (connection in ('Connected', 'NotConnected'));
