-- The end of one hash chain of the audit trail. There are eight chains, so eight writers can commit at the same time; a
-- writer takes the first free one.
create table audit_chains (
  chain smallint not null,
  position bigint not null default 0,
  hash bytea not null default '\x',
  constraint audit_chains_pkey primary key (chain)
) with (fillfactor = 50);

insert into audit_chains (chain) select generate_series(0, 7);

-- One mutation of the API: who changed what. It is written in the transaction of the change. Each entry contains the
-- hash of the entry before it in its chain.
create table audit_entries (
  id bigint generated always as identity,
  chain smallint not null,
  position bigint not null,
  occurred_at timestamptz not null,
  principal_id integer,
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

-- Filters of the audit trail: by time, principal, operation, and beginning of the target.
create index audit_entries_occurred_at_idx on audit_entries (occurred_at);
create index audit_entries_principal_id_idx on audit_entries (principal_id, id);
create index audit_entries_operation_idx on audit_entries (operation, id);
create index audit_entries_target_idx on audit_entries (target text_pattern_ops, id);

-- The hash covers the hash of the entry before it and every column with content.
create function audit_entry_hash(entry audit_entries) returns bytea
  language sql stable
  set timezone = 'UTC'
  return sha256(entry.previous_hash || convert_to(jsonb_build_array(
    entry.chain, entry.position, entry.occurred_at, entry.principal_id, entry.principal_name,
    entry.operation, entry.target, entry.request, entry.status, entry.request_id)::text, 'UTF8'));

-- Appends an entry to the first free chain. When all chains are taken, it waits for whichever becomes free first, not
-- for a certain one: the transaction that has that one may last long. Runs with the rights of the owner of the tables,
-- so the service itself needs no right to write to them.
create function append_audit_entry(
  principal_id integer, principal_name text, operation text, target text, request jsonb, status smallint, request_id text
) returns bigint language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  head audit_chains;
  entry audit_entries;
  max_wait interval := nullif(current_setting('lock_timeout'), '0')::interval;
  began_at timestamptz := clock_timestamp();
  pause float8 := 0.002;
begin
  loop
    select * into head from audit_chains order by chain limit 1 for update skip locked;
    exit when found;
    if clock_timestamp() > began_at + max_wait then
      raise exception 'All chains of the audit trail are locked.' using errcode = 'lock_not_available';
    end if;
    -- Longer each time, so that many waiting changes do not keep the processors busy.
    perform pg_sleep(pause);
    pause := least(pause * 1.5, 0.05);
  end loop;
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

-- A token request or failed sign-in of the last hour. The first of its kind is in the audit trail; others only count.
-- Unlogged: a crash of the database loses counts, never an entry.
create unlogged table repeated_requests (
  key bytea not null,
  since timestamptz not null,
  repeats integer not null default 0,
  principal_id integer,
  principal_name text not null,
  operation text not null,
  target text not null,
  request jsonb not null,
  status smallint not null,
  request_id text not null,
  constraint repeated_requests_pkey primary key (key)
) with (fillfactor = 70);

-- Purge, and how many failures there were in the last hour.
create index repeated_requests_since_idx on repeated_requests (since);
create index repeated_requests_failures_idx on repeated_requests (since) where status >= 400;

-- Audits a request unless the same one was audited within the last hour; then it is counted. Failures cannot fill the
-- trail: beyond a thousand different ones in an hour, those of a principal count as one.
create function audit_repeated_request(
  principal_id integer, principal_name text, operation text, target text, request jsonb, status smallint, request_id text
) returns void language plpgsql as $$
#variable_conflict use_variable
declare
  request_key bytea;
  earlier_repeats integer;
  is_repeated boolean;
begin
  for attempt in 1 .. 2 loop
    request_key := sha256(convert_to(
      jsonb_build_array(principal_id, principal_name, operation, request, status)::text, 'UTF8'));
    update repeated_requests r set repeats = r.repeats + 1, request_id = audit_repeated_request.request_id
    where r.key = request_key and r.since > now() - interval '1 hour';
    if found then return; end if;
    exit when attempt = 2 or status < 400 or (
      select count(*) from (
        select from repeated_requests r where r.status >= 400 and r.since > now() - interval '1 hour' limit 1000) f
    ) < 1000;
    request := '{"address": "many addresses"}';
  end loop;
  delete from repeated_requests r where r.key = request_key and r.since <= now() - interval '1 hour'
  returning r.repeats into earlier_repeats;
  insert into repeated_requests as r
    (key, since, principal_id, principal_name, operation, target, request, status, request_id)
  values (request_key, now(), principal_id, principal_name, operation, target, request, status, request_id)
  on conflict on constraint repeated_requests_pkey do update set repeats = r.repeats + 1
  returning r.repeats > 0 into is_repeated;
  -- Another transaction has audited the same request in the meantime.
  if is_repeated then return; end if;
  perform append_audit_entry(principal_id, principal_name, operation, target,
    case when earlier_repeats > 0 then request || jsonb_build_object('repeats', earlier_repeats) else request end,
    status, request_id);
end $$;

-- The signed ends of the audit chains at one time. A row is kept until every node and the webhook have it.
create table audit_anchors (
  taken_at timestamptz not null,
  document text not null,
  -- While a node sends the anchor, others do not.
  claimed_until timestamptz,
  sent_at timestamptz,
  constraint audit_anchors_pkey primary key (taken_at)
);

-- The next anchor to send.
create index audit_anchors_unsent_idx on audit_anchors (taken_at) where sent_at is null;
