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

with
  matching as materialized (
    (
      select
        "selected"."id",
        "selected"."sortKey"
      from
        (
          select
            summary.computer_id as id,
            "summary"."name_key" as "sortKey"
          from
            computer_summaries summary
          where
            true
            and summary.health_status = any ($1::text[])
            and true
            and true
            and summary.computer_id in (
              select
                id
              from
                computers
              where
                name ilike $2
                or mac_address ilike $3
                or ip_address ilike $4
                or reported_ip_address ilike $5
              union all
              select
                computer_id
              from
                bios_records
              where
                serial_number ilike $6
              union all
              select
                computer_id
              from
                agents
              where
                logged_on_user ilike $7
            )
            and true
        ) as "selected"
    )
  )
select
  page.*,
  total.total_count
from
  (
    select
      count(*)::integer as total_count
    from
      matching
  ) as total
  left join (
    select
      listed.*,
      jsonb_build_array("sortKey", "id")::text as page_position
    from
      (
        select
          "sortKey",
          "id"
        from
          matching
        where
          true
        order by
          "sortKey" desc,
          "id" desc
        limit
          $8
        offset
          $9
      ) as page_keys
      join (
        (
          select
            "summary"."computer_id" as "id",
            "summary"."name_key" as "sortKey",
            "computers"."name" as "hostname",
            "computers"."domain",
            computers.role as "role",
            "summary"."operating_system" as "operatingSystem",
            "summary"."os_version" as "osVersion",
            "agents"."logged_on_user" as "loggedOnUser",
            coalesce(computers.reported_ip_address, computers.ip_address) as "ipAddress",
            "bios_records"."serial_number" as "serialNumber",
            "computers"."manufacturer",
            "summary"."model",
            summary.health_status as "healthStatus",
            summary.agent_status as "agentStatus",
            "computer_contacts"."last_seen_at" as "lastSeenUtc",
            exists (
              select
              from
                connected_computers connected
              where
                connected.computer_id = "summary"."computer_id"
            ) as "connectedNow",
            summary.issues as "issues",
            (
              select
                coalesce(
                  jsonb_agg(
                    jsonb_build_object(
                      'groupId',
                      groups.id,
                      'name',
                      groups.name,
                      'path',
                      groups.path,
                      'assignedToTree',
                      groups.tree,
                      'isByRule',
                      member.is_by_rule
                    )
                    order by
                      lower(groups.name),
                      groups.id
                  ),
                  '[]'
                )
              from
                (
                  select
                    group_id,
                    is_by_rule
                  from
                    group_computers
                  where
                    computer_id = "summary"."computer_id"
                  offset
                    0
                ) as member
                cross join lateral (
                  select
                    *
                  from
                    groups
                  where
                    groups.id = member.group_id
                  offset
                    0
                ) as groups
              where
                groups.kind in ('System', 'Ordinary')
            ) as "groups"
          from
            "computer_summaries" as "summary"
            inner join "computers" on "computers"."id" = "summary"."computer_id"
            left join "computer_contacts" on "computer_contacts"."computer_id" = "summary"."computer_id"
            left join "agents" on "agents"."computer_id" = "summary"."computer_id"
            left join "bios_records" on "bios_records"."computer_id" = "summary"."computer_id"
        )
      ) as listed using ("sortKey", "id")
  ) as page on true
order by
  "sortKey" desc,
  "id" desc;

select
  "calculated_at" as "calculatedAtUtc",
  floor(
    extract(
      epoch
      from
        now() - calculated_at
    )
  )::integer as "ageSeconds"
from
  "fleet_statistics";
