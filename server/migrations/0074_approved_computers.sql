-- An approval binds the computers that the request affected when it was made.
alter table approvals
  -- Deleted when the wait ends, with the request.
  add column computer_ids integer[],
  -- The groups, the computer and the package that the request names, and the first of its computers: ids, and their names
  -- at the time of the request.
  add column subjects jsonb not null default '[]',
  add column first_computers jsonb not null default '[]',
  drop constraint approvals_state_check,
  drop constraint approvals_decided_check;

-- Everything that an event contains is visible to those who can approve, and to nobody else.
create function record_approval_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values (
    case new.state when 'Pending' then 'muster.approval.requested' when 'Denied' then 'muster.approval.denied'
      when 'Expired' then 'muster.approval.expired' else 'muster.approval.approved' end,
    '/api/approvals/' || new.id,
    jsonb_build_object('approvalId', new.id, 'operation', new.operation, 'target', new.target,
      'subjects', new.subjects, 'computers', new.computer_count, 'requesterId', new.requester_id,
      'requesterName', new.requester_name,
      'expiresAtUtc', to_char(new.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    || case when new.decided_at is null then '{}' else jsonb_build_object('decidedBy', new.decided_by) end
    || case when new.answer_status is null then '{}' else
      jsonb_build_object('state', new.state, 'problemCode', new.problem_code) end);
  return null;
end $$;

create trigger approvals_record_requested after insert on approvals
  for each row execute function record_approval_event();
create trigger approvals_record_decided after update on approvals
  for each row when (old.state <> new.state) execute function record_approval_event();

-- Nobody knows for which computers these requests were made.
update approvals set state = 'Expired', sealed_request = null where state = 'Pending';

alter table approvals
  add constraint approvals_state_check check (state in ('Pending', 'Executed', 'Failed', 'Denied', 'Expired')),
  add constraint approvals_decided_check check (
    (state in ('Pending', 'Expired')) = (decided_at is null) and (state = 'Pending') = (sealed_request is not null)
    and (state = 'Pending') = (computer_ids is not null));
