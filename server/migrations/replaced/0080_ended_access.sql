-- A principal keeps nothing that it opens while it is revoked. Who opens something locks the principal before; a revocation, a
-- change of its roles and a new secret lock it, too. So either the revocation ends what was opened, or nothing is opened. The
-- rows are locked in the order in which a deletion locks them.
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
create trigger approvals_require_active_principal before insert on approvals
  for each row execute function require_active_principal();
create trigger webhooks_require_active_principal before insert on webhooks
  for each row execute function require_active_principal();
create trigger background_jobs_require_active_principal before insert on background_jobs
  for each row when (new.principal_id is not null) execute function require_active_principal();

-- A revocation does not wait for an approved request that is being carried out. That request checks its principal before it
-- ends. If it fails for another reason, it waits again, and is denied when the principal is restored at the latest.
create or replace function end_revoked_access() returns trigger language plpgsql as $$
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

create function deny_left_approvals() returns trigger language plpgsql as $$
begin
  update approvals set state = 'Denied', decided_at = now(), problem_code = 'RequesterRevoked', sealed_request = null,
    computer_ids = null
  where requester_id = new.principal_id and state = 'Pending';
  return null;
end $$;

create trigger local_principals_deny_left_approvals after update of is_revoked on local_principals
  for each row when (old.is_revoked and not new.is_revoked) execute function deny_left_approvals();
