-- The mail server that administrators name, at most one. Reports are sent through it.
create table mail_server (
  id integer not null default 1,
  host text not null,
  port integer not null,
  tls_mode text not null,
  user_name text,
  -- The password of the user.
  sealed_value bytea,
  from_address text not null,
  -- Recipients are only in these domains.
  recipient_domains text[] not null,
  -- Trusted for the certificate of the server, in place of the usual authorities.
  ca_certificates text,
  constraint mail_server_pkey primary key (id),
  constraint mail_server_id_check check (id = 1),
  constraint mail_server_tls_mode_check check (tls_mode in ('StartTls', 'Implicit'))
);

-- How many computers may have a product. Reports compare it with the inventory.
create table licences (
  id uuid not null default new_uuid(),
  name text not null,
  -- The name of the product; * is any text, ? any character.
  product_pattern text not null,
  owned integer not null,
  created_at timestamptz not null default now(),
  constraint licences_pkey primary key (id),
  constraint licences_name_check check (name ~ '\S' and length(name) <= 255),
  constraint licences_owned_check check (owned >= 0)
);

create unique index licences_name_key on licences (lower(name));

-- A report that is made by schedule or on request.
create table reports (
  id uuid not null default new_uuid(),
  name text not null,
  kind text not null,
  format text not null,
  -- The computers of this group and of the groups below it. Null: all.
  group_id uuid,
  -- Null: only on request.
  schedule jsonb,
  webhook_id uuid,
  recipients text[] not null default '{}',
  -- Who created the report. Its roles decide whether it is made.
  principal_id integer not null,
  is_paused boolean not null default false,
  pause_reason text,
  next_run_at timestamptz,
  created_at timestamptz not null default now(),
  constraint reports_pkey primary key (id),
  constraint reports_name_check check (name ~ '\S' and length(name) <= 255),
  constraint reports_kind_check check (kind in ('Issues', 'PatchCompliance', 'Software', 'Licences')),
  constraint reports_format_check check (format in ('Csv', 'Pdf')),
  constraint reports_pause_check check (is_paused or pause_reason is null),
  constraint reports_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint reports_webhook_id_fkey foreign key (webhook_id) references webhooks (id) on delete set null,
  constraint reports_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create unique index reports_principal_id_name_key on reports (principal_id, lower(name));
create index reports_group_id_idx on reports (group_id);
create index reports_webhook_id_idx on reports (webhook_id);

-- Reports that are due.
create index reports_next_run_at_idx on reports (next_run_at) where not is_paused;

create trigger reports_require_active_principal before insert on reports
  for each row execute function require_active_principal();

-- The schedule of a principal ends in the transaction that revokes it, and stays ended until a person continues it.
create function pause_reports() returns trigger language plpgsql as $$
begin
  update reports set is_paused = true, pause_reason = 'The principal of the report was revoked.'
  where principal_id = new.principal_id and not is_paused;
  return null;
end $$;

create trigger local_principals_pause_reports after update of is_revoked on local_principals
  for each row when (new.is_revoked and not old.is_revoked) execute function pause_reports();

-- One of the last times that a report was due.
create table report_runs (
  id uuid not null default new_uuid(),
  report_id uuid not null,
  -- Whether a person asked for it.
  is_requested boolean not null,
  due_at timestamptz not null,
  state text not null default 'Waiting',
  attempts integer not null default 0,
  -- When the next attempt is due; null once the run has ended.
  next_attempt_at timestamptz default now(),
  -- The node that works at it.
  claim_id uuid,
  claimed_until timestamptz,
  row_count integer,
  total_count integer,
  -- What was delivered is not delivered again when the rest is retried.
  posted_at timestamptz,
  mailed_at timestamptz,
  error text,
  ended_at timestamptz,
  constraint report_runs_pkey primary key (id),
  constraint report_runs_state_check check (state in ('Waiting', 'Succeeded', 'Failed')),
  constraint report_runs_report_id_fkey foreign key (report_id) references reports (id) on delete cascade
);

create index report_runs_report_id_idx on report_runs (report_id, due_at);

-- Runs that have not ended.
create index report_runs_next_attempt_at_idx on report_runs (next_attempt_at) where next_attempt_at is not null;

-- The document of a run.
create table report_files (
  run_id uuid not null,
  -- That of the report when it was made.
  format text not null,
  content bytea not null,
  constraint report_files_pkey primary key (run_id),
  constraint report_files_run_id_fkey foreign key (run_id) references report_runs (id) on delete cascade
);
