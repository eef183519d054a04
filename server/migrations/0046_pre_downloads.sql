-- Whether the content of packages is downloaded before the window of their schedule opens. Off by default: a schedule may
-- be there to keep the network free until then.
alter table distribution_options add column pre_download boolean not null default false;

alter table work add column pre_download boolean not null default false;

-- What agents download before its time, counted by package and group (listPreDownloads).
create index work_pre_download_idx on work (package_id, group_id) where state in ('Due', 'Leased') and pre_download;

-- What the agent has reported about the content of a work item that is not due yet. Ends with the work item.
create table pre_downloads (
  work_id bigint not null,
  -- The content of the package that it is about, in hexadecimal digits. An import may have replaced it since.
  content_hash text not null,
  state text not null,
  fetched_bytes bigint not null,
  -- Why it failed.
  message text,
  reported_at timestamptz not null default now(),
  constraint pre_downloads_pkey primary key (work_id),
  constraint pre_downloads_work_id_fkey foreign key (work_id) references work (id) on delete cascade,
  constraint pre_downloads_state_check check (state in ('Waiting', 'Fetching', 'Ready', 'Failed'))
);

-- An agent that downloads the content of work that was withdrawn should not find out at its next regular contact only.
create function call_agent_of_withdrawn_work() returns trigger language plpgsql as $$
begin
  perform call_agents(array[new.computer_id]);
  return null;
end $$;

create trigger work_call_agents_of_withdrawn after update of state on work
  for each row when (old.pre_download and new.state = 'Cancelled') execute function call_agent_of_withdrawn_work();
