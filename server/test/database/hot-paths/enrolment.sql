begin;

select
  id,
  group_id,
  max_uses is not null
  and uses >= max_uses as is_used_up
from
  enrolment_tokens
where
  token_hash = $1
  and revoked_at is null
  and expires_at > now();

select
  pg_advisory_xact_lock(hashtextextended ("identity", 0))
from
  unnest($1::text[]) as identity;

with
  matching as materialized (
    select
      computers.id,
      computers.uuid,
      candidate.weight,
      candidate.equals > 1
      and not candidate.is_own as is_ambiguous
    from
      (
        select
          candidate.*,
          count(*) over (
            partition by
              weight
          ) as equals,
          (
            candidate.id is not distinct from $1::integer
            or exists (
              select
              from
                agents
              where
                agents.computer_id = candidate.id
                and enrolment_key_hash = $2
            )
          ) as is_own
        from
          (
            select
              id,
              sum(weight)::integer as weight
            from
              (
                select
                  id,
                  8 as weight
                from
                  computers
                where
                  uuid = $3::uuid
                union all
                select
                  computer_id,
                  4
                from
                  bios_records
                where
                  serial_number = $4::text
                union all
                select
                  id,
                  2
                from
                  computers
                where
                  mac_key = $5::text
                union all
                select
                  id,
                  1
                from
                  computers
                where
                  lower(name) = lower($6)
                  and lower(domain) = lower($7)
              ) as matching
            group by
              id
          ) as candidate
      ) as candidate
      join computers on computers.id = candidate.id
    order by
      candidate.weight desc,
      candidate.is_own desc,
      computers.id
    limit
      1
  ),
  locked as materialized (
    select
    from
      fusion_devices
    where
      computer_id = (
        select
          id
        from
          matching
      )
    order by
      id
    for no key update
  )
select
  (
    select
      count(*)
    from
      locked
  )
from
  matching;

insert into
  computers (name, domain, is_domain, uuid, mac_address)
values
  ($1, $2, $3, $4, $5)
on conflict do nothing
returning
  id;

with
  seen as (
    insert into
      computer_contacts (computer_id, last_seen_at)
    values
      ($1, now())
    on conflict on constraint computer_contacts_pkey do update
    set
      last_seen_at = excluded.last_seen_at
  )
insert into
  agents (computer_id, secret_hash, enrolment_key_hash, enrolment_token_id, version, platform, kind)
values
  ($2, $3, $4, $5, $6, $7, $8);

with
  changed as (
    update enrolment_tokens
    set
      uses = uses + 1
    where
      id = $1
      and revoked_at is null
      and (
        max_uses is null
        or uses < max_uses
      )
    returning
      id
  )
select
  append_audit_entry ($2::integer, $3, $4, $5, $6::jsonb, $7::smallint, $8)
from
  changed;

commit;
