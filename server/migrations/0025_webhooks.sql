-- An address to which events are sent. Each webhook gets its events one after the other, in the order of the log.
create table webhooks (
  id uuid not null default new_uuid(),
  name text not null,
  url text not null,
  -- Types or beginnings of types followed by *. Empty: all types that the principal may see.
  types text[] not null default '{}',
  computer_id integer,
  -- Who created the webhook. Its roles decide which events are sent.
  principal_id integer not null,
  is_paused boolean not null default false,
  pause_reason text,
  -- The last event that was delivered, or left out by the filter.
  position bigint not null,
  -- How often the next event has failed, since when, and when it is tried again.
  failures integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz,
  -- The run of a node that delivers at the moment.
  claim_id uuid,
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  constraint webhooks_pkey primary key (id),
  constraint webhooks_name_check check (name ~ '\S' and length(name) <= 255),
  constraint webhooks_pause_check check (is_paused or pause_reason is null),
  constraint webhooks_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create unique index webhooks_name_key on webhooks (lower(name));
create index webhooks_principal_id_idx on webhooks (principal_id);

create trigger webhooks_require_active_principal before insert on webhooks
  for each row execute function require_active_principal();

-- A secret that signs deliveries. After a rotation, the previous one signs as well until it expires.
create table webhook_secrets (
  webhook_id uuid not null,
  number integer not null,
  sealed_value bytea not null,
  expires_at timestamptz,
  constraint webhook_secrets_pkey primary key (webhook_id, number),
  constraint webhook_secrets_webhook_id_fkey foreign key (webhook_id) references webhooks (id) on delete cascade
);

-- One of the last attempts of a webhook.
create table webhook_deliveries (
  id bigint generated always as identity,
  webhook_id uuid not null,
  position bigint not null,
  type text not null,
  attempt integer not null,
  attempted_at timestamptz not null default now(),
  -- Null if there was no answer.
  status smallint,
  error text,
  duration_ms integer not null,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_webhook_id_fkey foreign key (webhook_id) references webhooks (id) on delete cascade
);

-- The last attempts of a webhook.
create index webhook_deliveries_webhook_id_idx on webhook_deliveries (webhook_id, id);
