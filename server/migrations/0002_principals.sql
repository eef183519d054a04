-- One row for everyone who may call the API. It has what all kinds of principals share; each kind has a table for the
-- rest.
create table principals (
  id integer generated always as identity,
  kind text not null,
  is_protected boolean not null default false,
  created_at timestamptz not null default now(),
  constraint principals_pkey primary key (id),
  constraint principals_kind_check check (kind in ('local', 'client', 'user')),
  constraint principals_id_kind_key unique (id, kind)
);

-- A principal that signs in with a client id and a secret of this installation.
create table local_principals (
  principal_id integer not null,
  kind text not null generated always as ('local') stored,
  client_id text not null,
  description text,
  is_revoked boolean not null default false,
  expires_at timestamptz,
  constraint local_principals_pkey primary key (principal_id),
  constraint local_principals_client_id_key unique (client_id),
  constraint local_principals_principal_id_fkey
    foreign key (principal_id, kind) references principals (id, kind) on delete cascade
);

-- A secret of a local principal. While a secret is replaced, the old and the new one are valid.
create table principal_secrets (
  id integer generated always as identity,
  principal_id integer not null,
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  -- Null if the secret is valid as long as the principal is.
  expires_at timestamptz,
  -- Written at most once every few minutes.
  last_used_at timestamptz,
  constraint principal_secrets_pkey primary key (id),
  constraint principal_secrets_principal_id_fkey
    foreign key (principal_id) references local_principals (principal_id) on delete cascade
);

create index principal_secrets_principal_id_idx on principal_secrets (principal_id);

-- A principal of an identity provider: a person, or a client of the provider.
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

-- A role that a principal has.
create table principal_roles (
  principal_id integer not null,
  role text not null,
  constraint principal_roles_pkey primary key (principal_id, role),
  constraint principal_roles_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

-- The last administrator cannot be deleted: principals with a role.
create index principal_roles_role_idx on principal_roles (role);

-- When a principal last made a request. A table of its own, because it is written far more often than principals
-- change.
create table principal_uses (
  principal_id integer not null,
  last_used_at timestamptz not null default now(),
  constraint principal_uses_pkey primary key (principal_id),
  constraint principal_uses_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

-- A person who is signed in to the console. The cookie of the browser has the token, of which only a keyed hash is
-- stored.
create table sessions (
  token_hash bytea not null,
  principal_id integer not null,
  -- The identity provider of the person; null after a sign-in with client id and secret.
  provider text,
  -- The token of the provider, which ends the session there at sign-out. It is sealed with a key derived from the
  -- session token.
  id_token bytea,
  created_at timestamptz not null default now(),
  -- Not more precise than a minute.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint sessions_pkey primary key (token_hash),
  constraint sessions_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create index sessions_principal_id_idx on sessions (principal_id);

-- Sessions end even if they are not in use. A principal that is restored later has to sign in again.
create function end_sessions() returns trigger language plpgsql as $$
begin
  delete from sessions where principal_id = old.principal_id;
  return null;
end $$;

create trigger local_principals_end_sessions after update of is_revoked on local_principals
  for each row when (new.is_revoked) execute function end_sessions();
create trigger identity_principals_end_sessions after update of subject_id, issuer on identity_principals
  for each row when (old.subject_id <> new.subject_id or old.issuer is distinct from new.issuer)
  execute function end_sessions();
create trigger principal_roles_end_sessions after delete on principal_roles
  for each row when (old.role = 'admin.manage') execute function end_sessions();

-- Every principal with a role can sign in. Without one, its sessions end, and stay ended when it gets another role. The
-- trigger runs after the statement so that roles may be replaced by others.
create function end_sessions_without_roles() returns trigger language plpgsql as $$
begin
  delete from sessions
  where principal_id = old.principal_id
    and not exists (select from principal_roles where principal_id = old.principal_id);
  return null;
end $$;

create trigger principal_roles_end_last_sessions after delete on principal_roles
  for each row execute function end_sessions_without_roles();

-- A link that signs in once, without a secret. The link has the token, of which only a keyed hash is stored.
create table sign_in_links (
  token_hash bytea not null,
  principal_id integer not null,
  expires_at timestamptz not null,
  constraint sign_in_links_pkey primary key (token_hash),
  constraint sign_in_links_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create index sign_in_links_principal_id_idx on sign_in_links (principal_id);

-- A principal keeps nothing that it opens while it is revoked. A transaction that opens something locks the principal
-- first; a revocation, a change of its roles and a new secret lock it, too. So either the revocation ends what was
-- opened, or nothing is opened. The rows are locked in the order in which a deletion locks them.
create function lock_active_principal(id_of_principal integer) returns boolean language plpgsql as $$
declare
  is_active boolean;
begin
  perform from principals where id = id_of_principal for key share;
  if not found then
    return false;
  end if;
  perform from identity_principals where principal_id = id_of_principal for share;
  select not is_revoked into is_active from local_principals where principal_id = id_of_principal for share;
  return coalesce(is_active, true);
end $$;

create function require_active_principal() returns trigger language plpgsql as $$
declare
  id_of_principal integer;
begin
  if tg_table_name = 'approvals' then
    id_of_principal := new.requester_id;
  else
    id_of_principal := new.principal_id;
  end if;
  if not lock_active_principal(id_of_principal) then
    raise exception 'The principal % is revoked or deleted.', id_of_principal
      using errcode = 'check_violation', constraint = 'active_principal_check';
  end if;
  return new;
end $$;

create trigger sessions_require_active_principal before insert on sessions
  for each row execute function require_active_principal();
create trigger sign_in_links_require_active_principal before insert on sign_in_links
  for each row execute function require_active_principal();

-- What a principal has opened ends in the transaction that revokes it. Sessions end by a trigger of their own. What is
-- restored later stays ended or paused, until a person decides about it. A revocation does not wait for an approved
-- request that is being carried out: that request checks its principal before it ends. If it fails for another reason,
-- it waits again, and is denied at the latest when the principal is restored.
create function end_revoked_access() returns trigger language plpgsql as $$
begin
  delete from sign_in_links where principal_id = new.principal_id;
  update webhooks set is_paused = true, pause_reason = 'The principal of the webhook was revoked.'
  where principal_id = new.principal_id and not is_paused;
  update approvals set state = 'Denied', decided_at = now(), problem_code = 'RequesterRevoked', sealed_request = null,
    computer_ids = null
  where id in (
    select id from approvals where requester_id = new.principal_id and state = 'Pending' order by id
    for update skip locked);
  return null;
end $$;

create trigger local_principals_end_access after update of is_revoked on local_principals
  for each row when (new.is_revoked and not old.is_revoked) execute function end_revoked_access();

create function deny_left_approvals() returns trigger language plpgsql as $$
begin
  update approvals set state = 'Denied', decided_at = now(), problem_code = 'RequesterRevoked', sealed_request = null,
    computer_ids = null
  where requester_id = new.principal_id and state = 'Pending';
  return null;
end $$;

create trigger local_principals_deny_left_approvals after update of is_revoked on local_principals
  for each row when (old.is_revoked and not new.is_revoked) execute function deny_left_approvals();

-- The answer to a POST request with an Idempotency-Key, kept for a day to be replayed. Neither the client's key nor the
-- answer can be read from here: the key is stored as a keyed hash, and the answer is encrypted with a key derived from
-- the client's key.
create table idempotency_keys (
  key_hash bytea not null,
  request_hash bytea not null,
  sealed_answer bytea,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pkey primary key (key_hash)
);

-- Purge of expired answers.
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
