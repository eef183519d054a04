-- Links that sign in once, without a secret. The link has the token, of which only a keyed hash is kept here.
create table sign_in_links (
  token_hash bytea not null,
  principal_id integer not null,
  expires_at timestamptz not null,
  constraint sign_in_links_pkey primary key (token_hash),
  constraint sign_in_links_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create index sign_in_links_principal_id_idx on sign_in_links (principal_id);

-- Every principal with a role can sign in. Without one, its sessions end, and stay ended when it gets another role. The
-- trigger runs after the statement, so that roles may be replaced by others.
create function end_sessions_without_roles() returns trigger language plpgsql as $$
begin
  delete from sessions
  where principal_id = old.principal_id
    and not exists (select from principal_roles where principal_id = old.principal_id);
  return null;
end $$;

create trigger principal_roles_end_last_sessions after delete on principal_roles
  for each row execute function end_sessions_without_roles();
