-- What a principal has opened ends in the transaction that revokes it. Sessions end by a trigger of their own. What is
-- restored later stays ended or paused, until a person decides about it.
create function end_revoked_access() returns trigger language plpgsql as $$
begin
  delete from sign_in_links where principal_id = new.principal_id;
  update webhooks set is_paused = true, pause_reason = 'The principal of the webhook was revoked.'
  where principal_id = new.principal_id and not is_paused;
  update approvals set state = 'Denied', decided_at = now(), problem_code = 'RequesterRevoked', sealed_request = null,
    computer_ids = null
  where requester_id = new.principal_id and state = 'Pending';
  return null;
end $$;

create trigger local_principals_end_access after update of is_revoked on local_principals
  for each row when (new.is_revoked and not old.is_revoked) execute function end_revoked_access();

-- Who started a job, and the role that this needs. Without the role, the job has no effect. There is no foreign key: a job
-- outlives its principal, and ends because of that.
alter table background_jobs add principal_id integer, add required_role text,
  add constraint background_jobs_starter_check check ((principal_id is null) = (required_role is null));
