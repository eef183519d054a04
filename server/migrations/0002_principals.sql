-- Whoever may call the API. What the kinds have in common stands here, the rest in a table for each kind.
create table principals (
  id integer generated always as identity,
  kind text not null,
  is_protected boolean not null default false,
  created_at timestamptz not null default now(),
  constraint principals_pkey primary key (id),
  constraint principals_kind_check check (kind in ('local', 'client', 'user')),
  constraint principals_id_kind_key unique (id, kind)
);

create table local_principals (
  principal_id integer not null,
  kind text not null generated always as ('local') stored,
  client_id text not null,
  secret_hash bytea not null,
  description text,
  is_revoked boolean not null default false,
  expires_at timestamptz,
  constraint local_principals_pkey primary key (principal_id),
  constraint local_principals_client_id_key unique (client_id),
  constraint local_principals_principal_id_fkey
    foreign key (principal_id, kind) references principals (id, kind) on delete cascade
);

create table identity_principals (
  principal_id integer not null,
  subject_type text not null,
  subject_id text not null,
  issuer text,
  display_name text,
  constraint identity_principals_pkey primary key (principal_id),
  constraint identity_principals_subject_type_check check (subject_type in ('client', 'user')),
  constraint identity_principals_subject_key unique nulls not distinct (subject_type, subject_id, issuer),
  constraint identity_principals_principal_id_fkey
    foreign key (principal_id, subject_type) references principals (id, kind) on delete cascade
);

create table principal_roles (
  principal_id integer not null,
  role text not null,
  constraint principal_roles_pkey primary key (principal_id, role),
  constraint principal_roles_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create index principal_roles_role_idx on principal_roles (role);
