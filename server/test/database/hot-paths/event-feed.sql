select
  principal.id,
  principal.kind,
  principal.name,
  principal.roles
from
  (
    select
      p.id,
      p.kind,
      coalesce(l.client_id, i.display_name, i.subject_id) as name,
      array(
        select
          r.role
        from
          principal_roles r
        where
          r.principal_id = p.id
      ) as roles,
      l.client_id,
      i.subject_type,
      i.subject_id,
      i.issuer
    from
      principals p
      left join local_principals l on l.principal_id = p.id
      left join identity_principals i on i.principal_id = p.id
    where
      l.is_revoked is not true
      and (
        l.expires_at is null
        or l.expires_at > now()
      )
  ) principal
where
  principal.id = any ($1);

select
  event_log.last_position as "lastPosition",
  coalesce(
    (
      select
        min(first_position)
      from
        event_days
    ),
    event_log.last_position + 1
  ) as "oldestPosition"
from
  event_log;

select
  event_log.last_position as "lastPosition",
  coalesce(
    (
      select
        min(first_position)
      from
        event_days
    ),
    event_log.last_position + 1
  ) as "oldestPosition",
  found.position,
  found.type,
  found.subject,
  found.computer_id,
  found.occurred_at,
  found.data,
  found.traceparent
from
  event_log
  left join (
    select
      position,
      type,
      subject,
      computer_id,
      occurred_at,
      data,
      traceparent
    from
      events
    where
      day >= coalesce(
        (
          select
            max(day)
          from
            event_days
          where
            first_position <= $1::bigint + 1
        ),
        '-infinity'
      )
      and position > $2
      and position <= $3
      and type = any ($4::text[])
    order by
      position
    limit
      $5
  ) as found on true
order by
  found.position;

select
  "id"
from
  "installation";
