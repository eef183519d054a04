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
  matching as not materialized (
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
            and true
            and true
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
          "sortKey" asc,
          "id" asc
        limit
          $1
        offset
          $2
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
  "sortKey" asc,
  "id" asc;

select
  contact.computer_id,
  contact.last_seen_at,
  exists (
    select
    from
      connected_computers connected
    where
      connected.computer_id = "contact"."computer_id"
  ) as is_connected,
  case
    when effective.is_distributable
    or agents.settings_hash = effective.settings_hash then effective.settings -> 'contactIntervalMinutes'
  end as interval,
  (
    select
      min(not_before)
    from
      work
    where
      work.computer_id = contact.computer_id
      and "work"."state" in ('Due', 'Leased')
      and work.kind <> 'OperatingSystem'
      and not_before > now()
      and isfinite(not_before)
      and created_at <= contact.last_seen_at
  ) as next_work_at
from
  computer_contacts contact
  join agents on agents.computer_id = contact.computer_id
  cross join lateral (
    select
      owner.owner_id,
      resolved.settings,
      encode(sha256(convert_to((resolved.settings)::jsonb::text, 'UTF8')), 'hex') as settings_hash,
      packages.id is null
      or (
        "packages"."is_operational"
        and "packages"."hash_state" = 'Current'
      ) as is_distributable
    from
      (
        select
          contact.computer_id as owner_id
      ) as owner
      left join (
        select distinct
          on (owner_id) owner_id,
          object_id,
          group_id,
          group_path,
          distance,
          in_assignment_tree
        from
          (
            select
              owner.owner_id,
              assignment."package_id" as object_id,
              ancestor.id as group_id,
              ancestor.path as group_path,
              ancestry.distance,
              ("ancestor"."tree" <> 'ConfigurationGroups') as in_assignment_tree,
              "membership"."group_id" as member_group_id
            from
              (
                select
                  contact.computer_id as owner_id
              ) as owner
              join effective_memberships membership on membership.computer_id = owner.owner_id
              join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
              join "group_agent_templates" assignment on assignment.group_id = ancestry.ancestor_id
              join groups ancestor on ancestor.id = ancestry.ancestor_id
          ) as reached
        order by
          owner_id,
          "reached"."distance",
          "reached"."in_assignment_tree",
          "reached"."group_path" collate "C",
          "reached"."group_id"
      ) as template on template.owner_id = owner.owner_id
      left join packages on packages.id = template.object_id
      cross join lateral (
        select
          coalesce("packages"."manifest" -> 'settings', '{}') as settings
      ) as resolved
  ) as effective
where
  contact.computer_id = any ($1::integer[]);

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
