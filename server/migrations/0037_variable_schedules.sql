-- The time that a schedule names; null for any other text. Years have four digits and times without an offset are UTC, so
-- the result depends on no setting of the session.
create function schedule_start(schedule text) returns timestamptz
language plpgsql immutable parallel safe as $$
begin
  if schedule !~* '^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(\.\d+)?(z|[+-]\d\d(:?\d\d)?)?$' then return null; end if;
  return (schedule || case when schedule ~* '(z|[+-]\d\d(:?\d\d)?)$' then '' else 'Z' end)::timestamptz;
exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
  return null;
end $$;

-- A value counts from this time on; null if it counts always.
alter table computer_variables
  add column effective_from timestamptz generated always as (schedule_start(schedule)) stored;

alter table group_variables
  add column effective_from timestamptz generated always as (schedule_start(schedule)) stored;

alter table variable_configuration_values
  add column effective_from timestamptz generated always as (schedule_start(schedule)) stored;
