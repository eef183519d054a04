-- The secrets of local principals. While a secret is replaced, the old and the new one are valid.
create table principal_secrets (
  id integer generated always as identity,
  principal_id integer not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  -- Null if the secret is valid as long as the principal is.
  expires_at timestamptz,
  -- Written at most once in some minutes.
  last_used_at timestamptz,
  constraint principal_secrets_pkey primary key (id),
  constraint principal_secrets_principal_id_fkey
    foreign key (principal_id) references local_principals (principal_id) on delete cascade
);

create index principal_secrets_principal_id_idx on principal_secrets (principal_id);

insert into principal_secrets (principal_id, secret_hash, created_at)
select principal_id, secret_hash, created_at
from local_principals join principals on principals.id = principal_id order by principal_id;

alter table local_principals drop column secret_hash;

-- When principals last made a request. A table of its own, because it is written far more often than principals change.
create table principal_uses (
  principal_id integer not null,
  last_used_at timestamptz not null default now(),
  constraint principal_uses_pkey primary key (principal_id),
  constraint principal_uses_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);
