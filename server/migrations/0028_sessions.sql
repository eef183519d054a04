-- Who is signed in to the pages. The cookie of the browser has the token, of which only a keyed hash is kept here.
create table sessions (
  token_hash bytea not null,
  principal_id integer not null,
  -- The identity provider that vouched for the person; null after a sign-in with client id and secret.
  provider text,
  -- What the provider said about the person, to be shown to it again at the end; sealed with a key out of the token.
  id_token bytea,
  created_at timestamptz not null default now(),
  -- Not more precise than a minute.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint sessions_pkey primary key (token_hash),
  constraint sessions_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create index sessions_principal_id_idx on sessions (principal_id);

-- Sessions also end where nobody uses them: whoever is restored later has to sign in again.
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
