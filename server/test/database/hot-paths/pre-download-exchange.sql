with
  reported as materialized (
    select
      *
    from
      jsonb_to_recordset($1::jsonb) as report (
        client_id integer,
        secret_hash text,
        run_id uuid,
        version text,
        platform text,
        boot_at timestamptz,
        is_reboot_required boolean,
        reboot_required_source text,
        suspension_mode text,
        suspended_until timestamptz,
        logged_on_user text,
        ip_address text,
        settings_hash text,
        sections jsonb,
        has_no_leased_work boolean
      )
  ),
  accepted as materialized (
    -- One row for each computer. If it presents both its credentials at once, the offered one ends the other.
    select distinct
      on (reported.client_id) reported.*,
      new.started_at,
      case
        when new.uses_offer then now()
        else a.secret_issued_at
      end as secret_issued_at,
      reported.run_id = any (a.recent_runs)
      and reported.run_id <> a.recent_runs[1] as is_duplicate_process,
      (
        a.version,
        a.platform,
        a.boot_at,
        a.is_reboot_required,
        a.reboot_required_source,
        a.suspension_mode,
        a.suspended_until,
        a.logged_on_user,
        a.settings_hash,
        a.recent_runs[1]
      ) is distinct from (
        reported.version,
        reported.platform,
        new.started_at,
        reported.is_reboot_required,
        reported.reboot_required_source,
        reported.suspension_mode,
        reported.suspended_until,
        reported.logged_on_user,
        reported.settings_hash,
        reported.run_id
      )
      or new.uses_offer as has_new_state
    from
      reported
      cross join lateral (
        select
          decode(reported.secret_hash, 'hex') as hash
      ) as presented
      cross join lateral (
        select
          *
        from
          agents
        where
          computer_id = reported.client_id
          and presented.hash in (secret_hash, next_secret_hash)
        offset
          0
      ) as a
      cross join lateral (
        select
          case
            when abs(
              extract(
                epoch
                from
                  a.boot_at - reported.boot_at
              )
            ) <= 10 then a.boot_at
            else reported.boot_at
          end as started_at,
          a.next_secret_hash is not distinct from presented.hash as uses_offer
      ) as new
    order by
      reported.client_id,
      new.uses_offer desc
  ),
  known_row as materialized (
    select
      computer_id
    from
      computer_contacts
    where
      computer_id = any (
        array(
          select
            client_id as computer_id
          from
            accepted
        )
      )
    order by
      computer_id
    for no key update
      skip locked
  ),
  seen_again as (
    update computer_contacts
    set
      last_seen_at = now()
    where
      computer_id = any (
        array(
          select
            computer_id
          from
            known_row
        )
      )
  ),
  new_row as materialized (
    -- The foreign key would wait for the lock of a deletion, so it is tried before the insert.
    select
      id
    from
      computers
    where
      id = any (
        array(
          select
            computer_id
          from
            (
              select
                client_id as computer_id
              from
                accepted
            ) as contact
          except
          select
            computer_id
          from
            known_row
        )
      )
      and not exists (
        select
        from
          computer_contacts stored
        where
          stored.computer_id = computers.id
        offset
          0
      )
    order by
      id
    for key share
      skip locked
  ),
  seen_first as (
    insert into
      computer_contacts (computer_id, last_seen_at)
    select
      id,
      now()
    from
      new_row
    order by
      id
    on conflict on constraint computer_contacts_pkey do nothing
  ),
  wanted as materialized (
    select
      contact.client_id,
      array(
        select
          section.key
        from
          jsonb_each_text(contact.sections) as section
          left join inventory_sections stored on stored.computer_id = contact.client_id
          and stored.section = section.key
        where
          section.key in (
            'system',
            'bios',
            'computerSystem',
            'disks',
            'networkAdapters',
            'batteries',
            'printers',
            'videoControllers',
            'monitors',
            'processors',
            'installedSoftware',
            'services',
            'security'
          )
          and encode(stored.hash, 'hex') is distinct from section.value
      ) as sections
    from
      accepted contact
  ),
  changed as materialized (
    select
      contact.client_id,
      new.ip_address,
      new.inventory_at
    from
      accepted contact
      join wanted using (client_id)
      cross join lateral (
        select
          reported_ip_address,
          inventory_at
        from
          computers
        where
          id = contact.client_id
        offset
          0
      ) as stored
      cross join lateral (
        select
          coalesce(contact.ip_address, stored.reported_ip_address) as ip_address,
          case
            when contact.sections <> '{}'
            and wanted.sections = '{}'
            and stored.inventory_at < now() - interval '1 day' then now()
            else stored.inventory_at
          end as inventory_at
      ) as new
    where
      (stored.reported_ip_address, stored.inventory_at) is distinct from (new.ip_address, new.inventory_at)
  ),
  locked_computer as materialized (
    -- After new_row: a row that this statement has updated could not be locked by it any more.
    select
      id
    from
      computers
    where
      id = any (
        array(
          select
            client_id
          from
            changed,
            (
              select
                count(*)
              from
                new_row
            ) as locked
        )
      )
    order by
      id
    for no key update
      skip locked
  ),
  locked_agent as materialized (
    -- After the computers, as everywhere.
    select
      computer_id
    from
      agents
    where
      computer_id = any (
        array(
          select
            client_id
          from
            accepted,
            (
              select
                count(*)
              from
                locked_computer
            ) as locked
          where
            has_new_state
        )
      )
    order by
      computer_id
    for no key update
      skip locked
  ),
  state as (
    update agents a
    set
      version = contact.version,
      platform = contact.platform,
      boot_at = contact.started_at,
      is_reboot_required = contact.is_reboot_required,
      reboot_required_source = contact.reboot_required_source,
      suspension_mode = contact.suspension_mode,
      suspended_until = contact.suspended_until,
      logged_on_user = contact.logged_on_user,
      settings_hash = contact.settings_hash,
      state_changed_at = now(),
      -- The first use of an offered credential ends the previous one.
      secret_hash = case
        when decode(contact.secret_hash, 'hex') = a.next_secret_hash then a.next_secret_hash
        else a.secret_hash
      end,
      next_secret_hash = case
        when decode(contact.secret_hash, 'hex') = a.next_secret_hash then null
        else a.next_secret_hash
      end,
      secret_issued_at = case
        when decode(contact.secret_hash, 'hex') = a.next_secret_hash then now()
        else a.secret_issued_at
      end,
      recent_runs = (array[contact.run_id] || array_remove(a.recent_runs, contact.run_id)) [1:5],
      duplicate_seen_at = case
        when contact.is_duplicate_process then now()
        else a.duplicate_seen_at
      end
    from
      locked_agent
      join accepted contact on contact.client_id = locked_agent.computer_id
    where
      a.computer_id = contact.client_id
  ),
  computer as (
    update computers c
    set
      reported_ip_address = changed.ip_address,
      inventory_at = changed.inventory_at
    from
      locked_computer
      join changed on changed.client_id = locked_computer.id
    where
      c.id = changed.client_id
  )
select
  contact.client_id,
  contact.secret_hash,
  contact.secret_issued_at,
  effective.settings_hash,
  not contact.has_new_state
  or contact.client_id in (
    select
      computer_id
    from
      locked_agent
  ) as is_recorded,
  case
    when new_settings.differ
    and effective.is_distributable then effective.settings
  end as settings,
  case
    when effective.is_distributable
    or not new_settings.differ then effective.settings -> 'contactIntervalMinutes'
  end as interval,
  wanted.sections,
  contact.is_duplicate_process,
  due.is_due is true
  and not (
    select
      frozen_at is not null
    from
      installation
  ) as is_due,
  due.next_work_at,
  due.has_upcoming is true as has_upcoming
from
  accepted contact
  join wanted using (client_id)
  join (
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
          client_id as owner_id
        from
          accepted
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
                  client_id as owner_id
                from
                  accepted
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
  ) as effective on effective.owner_id = contact.client_id
  cross join lateral (
    select
      effective.settings_hash is distinct from contact.settings_hash as differ
  ) as new_settings
  cross join lateral (
    select
      bool_or(due_at <= now()) as is_due,
      min(due_at) filter (
        where
          due_at > now()
          and isfinite(due_at)
      ) as next_work_at,
      bool_or(is_upcoming) as has_upcoming
    from
      (
        select
          greatest(
            not_before,
            case
              when state = 'Leased'
              and (
                "work"."run_id" <> "contact"."run_id"
                and not "contact"."is_duplicate_process"
                or "work"."run_id" = "contact"."run_id"
                and "contact"."has_no_leased_work"
                and "work"."progress" is null
              ) is not true then leased_until
            end
          ) as due_at,
          pre_download
          and state = 'Due'
          and not_before > now() as is_upcoming
        from
          work
        where
          computer_id = "contact"."client_id"
          and "state" in ('Due', 'Leased')
          and package_id is not null
          and kind <> 'OperatingSystem'
        union all
        select
          greatest(
            not_before,
            case
              when state = 'Leased'
              and (
                "work"."run_id" <> "contact"."run_id"
                and not "contact"."is_duplicate_process"
                or "work"."run_id" = "contact"."run_id"
                and "contact"."has_no_leased_work"
                and "work"."progress" is null
              ) is not true then leased_until
            end
          ) as due_at,
          pre_download
          and state = 'Due'
          and not_before > now() as is_upcoming
        from
          work
        where
          computer_id = "contact"."client_id"
          and "state" in ('Due', 'Leased')
          and package_id is null
          and kind <> 'OperatingSystem'
      ) as open_work
  ) as due;

with
  upcoming as materialized (
    select
      w.computer_id,
      w.id as work_id,
      p.id as package_id,
      p.kind as package_kind,
      p.name,
      p.version,
      p.operating_systems,
      encode(p.content_hash, 'hex') as content_hash,
      w.state = 'Due'
      and not (
        select
          frozen_at is not null
        from
          installation
      )
      and coalesce(
        (
          select
            state not in ('Paused', 'Cancelled')
          from
            rollouts
          where
            id = w.rollout_id
        ),
        true
      ) as may_fetch
    from
      unnest($1::integer[]) as asking (owner_id)
      cross join lateral (
        -- In the order of the index on open work, and never that of the whole table.
        select
          *
        from
          work
        where
          computer_id = asking.owner_id
          and "state" in ('Due', 'Leased')
          and package_id is not null
        offset
          0
      ) as w
      join packages p on p.id = w.package_id
    where
      (
        "w"."state" in ('Due', 'Leased')
        and "w"."pre_download"
        and "w"."kind" not in ('Uninstall', 'OperatingSystem')
        and not ("w"."commands" & 68 = 64)
        and isfinite("w"."not_before")
        and (
          "p"."is_operational"
          and "p"."hash_state" = 'Current'
        )
        and "p"."kind" <> 'PatchFix'
        and not "p"."is_pre_os"
      )
  ),
  changed as materialized (
    select
      report."workId" as work_id,
      report."contentHash" as content_hash,
      report.state,
      report."fetchedBytes" as fetched_bytes,
      report.message
    from
      jsonb_to_recordset($2::jsonb) as report ("clientId" integer, "workId" bigint, "contentHash" text, state text, "fetchedBytes" bigint, message text)
      join upcoming on upcoming.work_id = report."workId"
      and upcoming.computer_id = report."clientId"
      left join pre_downloads stored on stored.work_id = report."workId"
    where
      (stored.content_hash, stored.state, stored.fetched_bytes, stored.message) is distinct from (report."contentHash", report.state, report."fetchedBytes", report.message)
  ),
  pinned as materialized (
    select
      id
    from
      work
    where
      id = any (
        array(
          select
            work_id
          from
            changed
        )
      )
    order by
      id
    for key share
      skip locked
  ),
  recorded as (
    insert into
      pre_downloads (work_id, content_hash, state, fetched_bytes, message)
    select
      work_id,
      content_hash,
      state,
      fetched_bytes,
      message
    from
      changed
      join pinned on pinned.id = changed.work_id
    order by
      work_id
    on conflict on constraint pre_downloads_pkey do update
    set
      content_hash = excluded.content_hash,
      state = excluded.state,
      fetched_bytes = excluded.fetched_bytes,
      message = excluded.message,
      reported_at = now()
  )
select
  *
from
  upcoming
order by
  computer_id,
  work_id;
