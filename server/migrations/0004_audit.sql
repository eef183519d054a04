-- Who changed what: one entry for each mutation, written in its transaction. Entries form hash chains.
-- There are eight chains, so that eight writers can commit at the same time; a writer takes the first free one.
create table audit_chains (
  chain smallint not null,
  position bigint not null default 0,
  hash bytea not null default '\x',
  constraint audit_chains_pkey primary key (chain)
) with (fillfactor = 50);

insert into audit_chains (chain) select generate_series(0, 7);

create table audit_entries (
  id bigint generated always as identity,
  chain smallint not null,
  position bigint not null,
  occurred_at timestamptz not null,
  principal_id integer not null,
  principal_name text not null,
  operation text not null,
  target text not null,
  request jsonb not null,
  status smallint not null,
  request_id text not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_entries_pkey primary key (id),
  constraint audit_entries_chain_position_key unique (chain, position),
  constraint audit_entries_chain_fkey foreign key (chain) references audit_chains (chain)
);

create index audit_entries_occurred_at_idx on audit_entries (occurred_at);
create index audit_entries_principal_id_idx on audit_entries (principal_id, id);
create index audit_entries_operation_idx on audit_entries (operation, id);
create index audit_entries_target_idx on audit_entries (target text_pattern_ops, id);

-- What an entry's hash covers: the hash of the entry before it and every column that says something.
create function audit_entry_hash(entry audit_entries) returns bytea
  language sql stable
  set timezone = 'UTC'
  return sha256(entry.previous_hash || convert_to(jsonb_build_array(
    entry.chain, entry.position, entry.occurred_at, entry.principal_id, entry.principal_name,
    entry.operation, entry.target, entry.request, entry.status, entry.request_id)::text, 'UTF8'));

create function append_audit_entry(
  principal_id integer, principal_name text, operation text, target text, request jsonb, status smallint, request_id text
) returns bigint language plpgsql as $$
declare
  head audit_chains;
  entry audit_entries;
begin
  select * into head from audit_chains order by chain limit 1 for update skip locked;
  if not found then
    select * into head from audit_chains where chain = pg_backend_pid() % 8 for update;
  end if;
  entry.chain := head.chain;
  entry.position := head.position + 1;
  entry.occurred_at := clock_timestamp();
  entry.principal_id := principal_id;
  entry.principal_name := principal_name;
  entry.operation := operation;
  entry.target := target;
  entry.request := request;
  entry.status := status;
  entry.request_id := request_id;
  entry.previous_hash := head.hash;
  entry.hash := audit_entry_hash(entry);
  insert into audit_entries (chain, position, occurred_at, principal_id, principal_name, operation, target, request,
    status, request_id, previous_hash, hash)
  values (entry.chain, entry.position, entry.occurred_at, entry.principal_id, entry.principal_name, entry.operation,
    entry.target, entry.request, entry.status, entry.request_id, entry.previous_hash, entry.hash)
  returning id into entry.id;
  update audit_chains set position = entry.position, hash = entry.hash where chain = entry.chain;
  return entry.id;
end $$;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit trail is append-only.' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();
