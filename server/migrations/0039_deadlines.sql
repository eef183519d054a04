-- What the person at a computer may do before work begins, and when that ends: {afterHours, latestUtc, maxPostponements,
-- quietHours, closePrograms, noticeMinutes}. Null: revoke_count and revoke_date alone decide.
alter table distribution_options add column user_deadline jsonb;

-- Takes the place of that of the distribution options for all work of the rollout.
alter table rollouts add column user_deadline jsonb;

alter table work
  add column user_deadline jsonb,
  -- When an agent got it for the first time. The hours of its deadline count from then: nobody could see it before.
  add column first_leased_at timestamptz,
  -- How often the agent returned it because of quiet hours, a presentation, open programs or a question that nobody
  -- answered. Unlike postponements, these have no maximum but the deadline.
  add column delays integer not null default 0,
  drop constraint work_delayed_by_check,
  add constraint work_delayed_by_check
    check (delayed_by in ('User', 'Retry', 'Rollout', 'QuietHours', 'Presentation', 'ProgramsOpen', 'NoAnswer'));

-- What a person chose about a work item, or why it waited for the person, as the agent reported it. Ends with the work item.
create table work_choices (
  id bigint generated always as identity,
  computer_id integer not null,
  work_id bigint not null,
  choice text not null,
  -- Null if nobody was logged on, or if several people were.
  user_name text,
  -- The declared programs that were open, or that the agent has closed.
  programs text[] not null default '{}',
  -- By the clock of the computer.
  chosen_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  constraint work_choices_pkey primary key (id),
  constraint work_choices_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint work_choices_work_id_fkey foreign key (work_id) references work (id) on delete cascade,
  constraint work_choices_choice_check
    check (choice in ('Later', 'Now', 'NoAnswer', 'QuietHours', 'Presentation', 'ProgramsOpen', 'ProgramsClosed'))
);

create index work_choices_computer_id_idx on work_choices (computer_id);
create index work_choices_work_id_idx on work_choices (work_id);
