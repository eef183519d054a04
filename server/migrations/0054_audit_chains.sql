-- When all chains are taken, a change waits for whichever becomes free first. Before, it waited for one of them, and if that
-- one belonged to a transaction whose client had fallen silent, it waited in vain while others came and went.
create or replace function append_audit_entry(
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
