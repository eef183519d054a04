-- One row: what belongs to this installation as a whole.
create table installation (
  id uuid not null default gen_random_uuid(),
  singleton boolean not null default true,
  created_at timestamptz not null default now(),
  -- Set when the first principal was seeded; never cleared, so that a later start cannot open a second way in.
  bootstrapped_at timestamptz,
  constraint installation_pkey primary key (id),
  constraint installation_singleton_key unique (singleton),
  constraint installation_singleton_check check (singleton)
);

insert into installation default values;

-- Keys of the server itself: that of the secret hashes, and those that seal stored answers and secret values.
create table server_keys (
  purpose text not null,
  key bytea not null,
  created_at timestamptz not null default now(),
  constraint server_keys_pkey primary key (purpose),
  constraint server_keys_key_check check (length(key) >= 32)
);

-- Keys that sign access tokens. The newest signs; older ones verify until the last token they signed has expired.
create table signing_keys (
  id uuid not null default gen_random_uuid(),
  private_key jsonb not null,
  created_at timestamptz not null default now(),
  constraint signing_keys_pkey primary key (id)
);

create index signing_keys_created_at_idx on signing_keys (created_at desc);
