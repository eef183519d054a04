-- The time that a schedule names: a date, or a date and a time without seconds, too. The service refuses everything else.
-- Values that are stored had no such schedule, so their times stay as they are.
create or replace function schedule_start(schedule text) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
  if schedule !~* '^\d{4}-\d\d-\d\d([t ]\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d(:?\d\d)?)?)?$' then return null; end if;
  return (schedule || case
    when schedule !~ ':' then ' 00:00Z'
    when schedule ~* ':.*(z|[+-]\d\d(:?\d\d)?)$' then ''
    else 'Z' end)::timestamptz;
exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
  return null;
end $$;

-- Offers of optional packages that end (endOffers).
create index work_optional_date_idx on work (optional_date) where state in ('Due', 'Leased') and optional_date is not null;

-- An offer that nobody has taken is no deployment: it is neither pending nor has it a state.
update deployments set pending_since = null
from work
where work.computer_id = deployments.computer_id and work.package_id = deployments.package_id
  and work.state = 'Due' and work.attempt = 0 and work.kind <> 'OperatingSystem' and work.commands & 68 = 64;

delete from deployments using work
where work.computer_id = deployments.computer_id and work.package_id = deployments.package_id
  and work.state = 'Due' and work.attempt = 0 and work.kind <> 'OperatingSystem' and work.commands & 68 = 64
  and deployments.result is null and deployments.installation_state = 'None';
