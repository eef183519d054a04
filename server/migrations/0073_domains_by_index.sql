-- The distinct domains of computers, in small letters. It jumps from each to the next in the index. With old statistics, the
-- planner would read the whole table for each jump.
create function computer_domains() returns setof text
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  found_domain text := (select min(lower(domain)) from computers);
begin
  while found_domain is not null loop
    return next found_domain;
    found_domain := (select min(lower(domain)) from computers where lower(domain) > found_domain);
  end loop;
end
$$;
