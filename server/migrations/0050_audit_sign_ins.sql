-- Requests without a principal are audited as well: failed sign-ins, and commands of operators.
alter table audit_entries alter column principal_id drop not null;

-- Runs with the rights of the owner of the tables, so that the service itself needs no right to write to them.
alter function append_audit_entry(integer, text, text, text, jsonb, smallint, text)
  security definer set search_path = pg_catalog, public, pg_temp;

-- Token requests and failed sign-ins of the last hour. The first of its kind is in the audit trail; others only count.
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

create index repeated_requests_since_idx on repeated_requests (since);
create index repeated_requests_failures_idx on repeated_requests (since) where status >= 400;

-- Audits a request unless the same one was audited within the last hour; then it is counted. Nobody can
-- fill the trail with failures: beyond a thousand different ones in an hour, those of a principal count as one.
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

-- Signed ends of the audit chains, until every node and the webhook have them.
create table audit_anchors (
  taken_at timestamptz not null,
  document text not null,
  -- While a node sends the anchor, others do not.
  claimed_until timestamptz,
  sent_at timestamptz,
  constraint audit_anchors_pkey primary key (taken_at)
);

create index audit_anchors_unsent_idx on audit_anchors (taken_at) where sent_at is null;
