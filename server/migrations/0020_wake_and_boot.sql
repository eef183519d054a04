-- When the service sends it itself, unless it was sent by then: null as long as nobody has looked for a depot, a while from
-- now when a depot was asked or an attempt has failed.
alter table wake_requests add column retry_at timestamptz;

drop index wake_requests_unsent_idx;
create index wake_requests_waiting_idx on wake_requests (wake_at) where sent_at is null and retry_at is null;
create index wake_requests_retry_at_idx on wake_requests (retry_at) where sent_at is null;
create index wake_requests_sent_at_idx on wake_requests (sent_at) where sent_at is not null;

-- An IPv4 address, or null for any other text: what agents report about themselves may be anything.
create function ipv4(address text) returns inet language plpgsql immutable strict parallel safe as $$
begin
  return case when family(address::inet) = 4 then host(address::inet)::inet end;
exception when data_exception then
  return null;
end $$;

-- The address with the length of the mask, null unless both are known.
create function ipv4_with_mask(address text, mask text) returns inet language plpgsql immutable strict parallel safe as $$
declare
  known_mask inet := ipv4(mask);
begin
  return (
    select set_masklen(ipv4(address), bits) from generate_series(1, 32) as bits
    where netmask(set_masklen('0.0.0.0'::inet, bits)) = known_mask);
end $$;
