-- When the rollout was paused, by a person or by itself. The last span has no end while it is paused.
alter table rollouts add column paused_times tstzmultirange not null default '{}';

update rollouts set paused_times = tstzmultirange(tstzrange(coalesce((pause ->> 'atUtc')::timestamptz, now()), null))
where state = 'Paused';

-- A trigger, because pauses begin and end in several places: with a person, with the criteria, and with the group of the rollout.
create function record_rollout_pause() returns trigger language plpgsql as $$
begin
  if new.state = 'Paused' then
    new.paused_times := new.paused_times + tstzmultirange(tstzrange(now(), null));
  elsif tg_op = 'UPDATE' then
    new.paused_times := new.paused_times * tstzmultirange(tstzrange(null, now()));
  end if;
  return new;
end $$;

create trigger rollouts_record_new_pause before insert on rollouts
  for each row when (new.state = 'Paused') execute function record_rollout_pause();
create trigger rollouts_record_pause before update of state on rollouts
  for each row when ((old.state = 'Paused') <> (new.state = 'Paused')) execute function record_rollout_pause();
