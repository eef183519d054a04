-- What a user of a computer has chosen with its agent: to take an optional package, or to postpone work. A trigger leaves the
-- event that shows it. A row stays for a month, in which the agent may report the same choice again.
create table user_choices (
  id bigint generated always as identity,
  computer_id integer not null,
  -- Chosen by the agent.
  choice_id uuid not null,
  kind text not null,
  user_name text not null,
  package_id uuid,
  postponed_until timestamptz,
  chosen_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  constraint user_choices_pkey primary key (id),
  constraint user_choices_computer_id_choice_id_key unique (computer_id, choice_id),
  constraint user_choices_kind_check check (kind in ('Taken', 'Postponed')),
  constraint user_choices_until_check check ((kind = 'Postponed') = (postponed_until is not null)),
  constraint user_choices_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint user_choices_package_id_fkey foreign key (package_id) references packages (id) on delete set null
);

create index user_choices_package_id_idx on user_choices (package_id);

-- A package that a user of a computer asks for, in the words of the user. An administrator names the package when approving it.
create table package_requests (
  id uuid not null default new_uuid(),
  computer_id integer not null,
  -- Chosen by the agent, which may report the same request again.
  choice_id uuid not null,
  wish text not null,
  reason text not null default '',
  user_name text not null,
  requested_at timestamptz not null default now(),
  state text not null default 'Pending',
  package_id uuid,
  decided_at timestamptz,
  decided_by text,
  -- What the user reads about the decision.
  answer text not null default '',
  constraint package_requests_pkey primary key (id),
  constraint package_requests_computer_id_choice_id_key unique (computer_id, choice_id),
  constraint package_requests_state_check check (state in ('Pending', 'Approved', 'Declined')),
  constraint package_requests_decision_check check ((state = 'Pending') = (decided_at is null)),
  constraint package_requests_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint package_requests_package_id_fkey foreign key (package_id) references packages (id) on delete set null
);

-- The requests of a computer, newest first (listSoftwareOfComputer), and how many there are (recordUserChoices).
create index package_requests_computer_id_idx on package_requests (computer_id, requested_at);
create index package_requests_package_id_idx on package_requests (package_id);

-- The list of all requests (listPackageRequests).
create index package_requests_requested_at_idx on package_requests (requested_at, id);

-- A user who asks twice for the same makes one request.
create unique index package_requests_pending_key on package_requests (computer_id, lower(wish)) where state = 'Pending';
