-- Ids rise with time, so lists in the order of ids grow at their end.
create function new_uuid() returns uuid language sql volatile as $$
  with clock as (select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as microseconds)
  select (
    lpad(to_hex(microseconds / 1000), 12, '0')
    || '7' || lpad(to_hex((microseconds % 1000) * 4), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
  from clock
$$;

-- One row: what belongs to this installation as a whole.
create table installation (
  id uuid not null default gen_random_uuid(),
  singleton boolean not null default true,
  created_at timestamptz not null default now(),
  -- Set when the first principal was seeded. It is never cleared, so a later start cannot seed another one.
  bootstrapped_at timestamptz,
  is_depot_topology_active boolean not null default false,
  -- How many computers a principal may affect by destructive actions within an hour without an approval; null: any
  -- number. A caller with a token has a different quota from one who is signed in to the console.
  api_quota integer,
  console_quota integer default 500,
  -- While the installation is frozen, no new work is handed out.
  frozen_at timestamptz,
  frozen_by text,
  freeze_reason text,
  constraint installation_pkey primary key (id),
  constraint installation_singleton_key unique (singleton),
  constraint installation_singleton_check check (singleton),
  constraint installation_api_quota_check check (api_quota >= 0),
  constraint installation_console_quota_check check (console_quota >= 0),
  constraint installation_frozen_check
    check ((frozen_at is null) = (frozen_by is null) and (frozen_at is null) = (freeze_reason is null))
);

insert into installation default values;

-- A key of the server itself: for the hashes of secrets, and for stored answers and secret values.
create table server_keys (
  purpose text not null,
  key bytea not null,
  created_at timestamptz not null default now(),
  -- A purpose may have several keys. The newest generation encrypts; earlier ones decrypt what they encrypted.
  generation integer not null default 1,
  -- The key file with which the key is wrapped; null if the key is stored as it is.
  key_file_id text,
  constraint server_keys_key_check check (length(key) >= 32),
  constraint server_keys_pkey primary key (purpose, generation)
);

-- A key that signs access tokens. The newest signs; older ones verify until the last token that they signed has
-- expired.
create table signing_keys (
  id uuid not null default gen_random_uuid(),
  private_key jsonb not null,
  created_at timestamptz not null default now(),
  -- With a key file, `private_key` contains only the wrapped key.
  key_file_id text,
  constraint signing_keys_pkey primary key (id)
);

-- The newest key.
create index signing_keys_created_at_idx on signing_keys (created_at desc);

-- How many requests one address or client made in the current minute. Unlogged: the counts change with every limited
-- request and need not survive a crash. Names, order and meaning of the columns are those of rate-limiter-flexible.
create unlogged table rate_limits (
  -- The name of the limit and a hash of what is counted.
  key text not null,
  points integer not null,
  -- Milliseconds since 1970.
  expire bigint not null,
  constraint rate_limits_pkey primary key (key),
  constraint rate_limits_key_length_check check (length(key) <= 100)
) with (fillfactor = 50);

-- One row: when the backup command last succeeded.
create table last_backup (
  id boolean not null default true,
  finished_at timestamptz not null,
  constraint last_backup_pkey primary key (id),
  constraint last_backup_id_check check (id)
);
