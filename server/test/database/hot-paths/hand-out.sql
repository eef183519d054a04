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

begin;

with
  pinned as materialized (
    select
      id
    from
      computers
    where
      id = any (
        array(
          select
            unnest($1::integer[])
        )
      )
    order by
      id
    for key share
      skip locked
  ),
  locked_agent as materialized (
    select
      computer_id
    from
      agents
    where
      computer_id = any (
        array(
          select
            id
          from
            pinned
        )
      )
    order by
      computer_id
    for no key update
      skip locked
  ),
  due as materialized (
    select
      w.id
    from
      work w
    where
      w.computer_id = any (
        array(
          select
            computer_id
          from
            locked_agent
        )
      )
      and "w"."state" in ('Due', 'Leased')
      and w.kind <> 'OperatingSystem'
      and w.not_before <= now()
    order by
      "w"."package_id" is not null,
      "w"."computer_id",
      "w"."package_id",
      "w"."kind",
      "w"."id"
    for update of
      w skip locked
  ),
  open_work as materialized (
    select
      w.computer_id,
      bool_or(
        "w"."state" in ('Due', 'Leased')
        and w.kind <> 'OperatingSystem'
        and w.not_before <= now()
        and w.id not in (
          select
            id
          from
            due
        )
      ) as is_locked,
      bool_or(
        (
          ("w"."attempt" - "w"."failures" - "w"."postponements" - "w"."delays" >= 10)
          or w.not_before <= now()
          and (
            case
              when w.kind in ('Install', 'Update')
              and exists (
                select
                from
                  packages
                where
                  conditions is not null
              ) then unmet_condition_of_work (w.computer_id, w.package_id)
            end is not null
            or case
              when w.is_brought
              and w.kind = 'Uninstall' then unready_replacements (w.computer_id, w.package_id)
            end = '{}'
          )
        )
      ) as has_work_to_end
    from
      work w
    where
      w.computer_id = any (
        array(
          select
            computer_id
          from
            locked_agent
        )
      )
      and "w"."state" in ('Due', 'Leased')
    group by
      w.computer_id
  )
select
  computer_id,
  coalesce(has_work_to_end, false) as has_work_to_end
from
  locked_agent
  left join open_work using (computer_id)
where
  is_locked is not true;

select
  w.id,
  w.computer_id,
  w.kind,
  w.attempt,
  w.failures,
  w.postponements,
  w.delays,
  w.commands,
  w.schedule,
  case
    when isfinite(w.not_before) then w.not_before
  end as not_before,
  w.delayed_by,
  w.window_ends_at,
  w.optional_date,
  (
    "w"."state" = 'Leased'
    and "w"."leased_until" > now()
    and (
      "w"."run_id" <> "requester"."run_id"
      and not "requester"."is_duplicate_process"
      or "w"."run_id" = "requester"."run_id"
      and "requester"."has_no_leased_work"
      and "w"."progress" is null
    ) is not true
  ) as is_leased,
  w.leased_until,
  p.id as package_id,
  p.kind as package_kind,
  p.is_operational as is_released,
  p.hash_state,
  p.is_pre_os,
  relation.awaited_packages,
  relation.conflicting_packages,
  relation.superseded_packages,
  relation.unready_replacements,
  relation.unmet_condition,
  case
    when w.rolled_back_package_id <> w.package_id then (
      select
        concat_ws(' ', q.name, q.version)
      from
        work o
        join packages q on q.id = o.package_id
      where
        o.computer_id = w.computer_id
        and o.package_id = w.rolled_back_package_id
        and o.kind = 'Uninstall'
        and "o"."state" in ('Due', 'Leased')
    )
  end as awaited_removal,
  null::boolean as has_patches,
  case
    when w.restart_policy_id is null then false
    else not coalesce(
      (
        select
          is_reboot_required
        from
          agents
        where
          agents.computer_id = w.computer_id
      ),
      false
    )
  end as is_needless_restart,
  (
    select
      frozen_at is not null
    from
      installation
  ) as is_frozen,
  now() as now,
  rollout.state as rollout_state,
  rollout.windows as rollout_windows,
  rollout.time_zone as rollout_time_zone,
  rollout.deadline_at as rollout_deadline,
  case
    when rollout.state is null then null
    when w.kind = 'Uninstall' then coalesce(
      case
        when p.manifest #> '{commands,uninstall}' is not null then coalesce((p.manifest #>> '{commands,uninstall,timeLimitMinutes}')::integer, 60)
      end,
      60
    )
    when w.kind = 'Update' then coalesce(
      case
        when p.manifest #> '{commands,update}' is not null then coalesce((p.manifest #>> '{commands,update,timeLimitMinutes}')::integer, 60)
      end,
      case
        when p.manifest #> '{commands,install}' is not null then coalesce((p.manifest #>> '{commands,install,timeLimitMinutes}')::integer, 60)
      end,
      60
    )
    when w.kind = 'Reinstall' then coalesce(
      case
        when p.manifest #> '{commands,install}' is not null then coalesce((p.manifest #>> '{commands,install,timeLimitMinutes}')::integer, 60)
      end,
      60
    ) + coalesce(
      case
        when p.manifest #> '{commands,uninstall}' is not null then coalesce((p.manifest #>> '{commands,uninstall,timeLimitMinutes}')::integer, 60)
      end,
      0
    )
    else coalesce(
      case
        when p.manifest #> '{commands,install}' is not null then coalesce((p.manifest #>> '{commands,install,timeLimitMinutes}')::integer, 60)
      end,
      60
    )
  end as time_limit_minutes,
  w.revoke_count,
  w.revoke_date,
  coalesce(rollout.user_deadline, w.user_deadline) as user_deadline,
  w.first_leased_at,
  w.power_action,
  w.timeout_minutes,
  w.reminder_minutes,
  w.restart_policy_id,
  p.name,
  p.version,
  p.operating_systems,
  encode(p.content_hash, 'hex') as content_hash,
  -- That of a policy comes after the patches that may need it.
  w.power_action = 'Reboot'
  and w.restart_policy_id is null
  and exists (
    select
    from
      tasks
    where
      tasks.id = w.task_id
      and tasks.kind = 'Reboot'
  ) as is_requested_reboot,
  -- Not exists(): without statistics, the planner would read all work once instead of that of the computer.
  (
    select
      true
    from
      work o
    where
      o.computer_id = w.computer_id
      and o.id <> w.id
      and (
        "o"."state" = 'Leased'
        and "o"."leased_until" > now()
        and (
          "o"."run_id" <> "requester"."run_id"
          and not "requester"."is_duplicate_process"
          or "o"."run_id" = "requester"."run_id"
          and "requester"."has_no_leased_work"
          and "o"."progress" is null
        ) is not true
      )
    limit
      1
  ) is not null as has_other_lease
from
  (
    select
      *
    from
      unnest($1::integer[], $2::uuid[], $3::boolean[], $4::boolean[]) as asking (owner_id, run_id, is_duplicate_process, has_no_leased_work)
  ) as requester
  join work w on w.computer_id = requester.owner_id
  left join packages p on p.id = w.package_id
  left join lateral (
    select
      found.state,
      case
        when not found.is_emergency then ring.windows
      end as windows,
      coalesce(found.time_zone, system_records.time_zone) as time_zone,
      found.deadline_at,
      found.user_deadline
    from
      rollouts found
      join rollout_computers placed on placed.rollout_id = found.id
      and placed.computer_id = w.computer_id
      join rollout_rings ring on ring.rollout_id = found.id
      and ring.ring = placed.ring
      left join system_records on system_records.computer_id = w.computer_id
    where
      found.id = w.rollout_id
  ) as rollout on true
  cross join lateral (
    select
      case
        when w.package_id is null
        or w.kind = 'OperatingSystem' then null
        when w.kind = 'Uninstall' then (
          select
            array_agg(distinct q.package_name)
          from
            work o
            join package_requirements needed on needed.package_id = o.package_id
            join packages q on q.id = o.package_id
          where
            o.computer_id = w.computer_id
            and o.kind = 'Uninstall'
            and "o"."state" in ('Due', 'Leased')
            and o.id <> w.id
            and lower(needed.required_name) = lower(p.package_name)
            and not exists (
              select
              from
                package_requirements mutual
              where
                mutual.package_id = w.package_id
                and lower(mutual.required_name) = lower(q.package_name)
            )
        )
        else (
          select
            array_agg(
              needed.required_name
              order by
                needed.required_name
            )
          from
            package_requirements needed
          where
            needed.package_id = w.package_id
            and not exists (
              select
              from
                deployments d
                join packages q on q.id = d.package_id
              where
                d.computer_id = w.computer_id
                and d.installation_state = 'Installed'
                and (
                  lower(q.package_name) = lower(needed.required_name)
                  or exists (
                    select
                    from
                      package_supersedes taken_over
                    where
                      taken_over.package_id = q.id
                      and lower(taken_over.superseded_name) = lower(needed.required_name)
                  )
                )
            )
        )
      end as awaited_packages,
      case
        when w.kind = 'Trial' then packages_in_way_of_trial (w.computer_id, w.package_id, w.id)
        when exists (
          select
          from
            package_conflicts
        )
        and w.kind = any ('{Install,Update,Reinstall}') then conflicting_packages (w.computer_id, w.package_id, w.id)
      end as conflicting_packages,
      case
        when exists (
          select
          from
            package_supersedes
        )
        and w.kind = any ('{Install,Update,Reinstall}') then superseded_packages (w.computer_id, w.package_id)
      end as superseded_packages,
      case
        when w.is_brought
        and w.kind = 'Uninstall' then unready_replacements (w.computer_id, w.package_id)
      end as unready_replacements,
      case
        when w.kind in ('Install', 'Update')
        and exists (
          select
          from
            packages
          where
            conditions is not null
        ) then unmet_condition_of_work (w.computer_id, w.package_id)
      end as unmet_condition
    offset
      0
  ) as relation
  -- Keys in an array, and those by `offset 0`, keep the planner from reading all work, whatever it believes about its size.
where
  w.id = any (
    array(
      select
        own.id
      from
        (
          select
            *
          from
            unnest($5::integer[], $6::uuid[], $7::boolean[], $8::boolean[]) as asking (owner_id, run_id, is_duplicate_process, has_no_leased_work)
        ) as asking
        cross join lateral (
          select
            id
          from
            work
          where
            work.computer_id = asking.owner_id
            and "work"."state" in ('Due', 'Leased')
          offset
            0
        ) as own
    )
  )
  and not (
    select
      frozen_at is not null
    from
      installation
  )
  and "w"."state" in ('Due', 'Leased')
  and w.kind <> 'OperatingSystem'
  and w.not_before <= now()
  and not (
    "w"."state" = 'Leased'
    and "w"."leased_until" > now()
    and (
      "w"."run_id" <> "requester"."run_id"
      and not "requester"."is_duplicate_process"
      or "w"."run_id" = "requester"."run_id"
      and "requester"."has_no_leased_work"
      and "w"."progress" is null
    ) is not true
  )
  and (
    relation.unmet_condition is not null
    or relation.unready_replacements = '{}'
    or (
      w.package_id is null
      or (
        "p"."is_operational"
        and "p"."hash_state" = 'Current'
      )
    )
    and relation.unready_replacements is null
    -- What an offer requires comes once its user takes it.
    and (
      relation.awaited_packages is null
      or case
        when ("w"."commands" & 68 = 64)
        and "w"."attempt" = 0 then 1
        else 0
      end = 1
    )
    and relation.conflicting_packages is null
    and relation.superseded_packages is null
  )
order by
  "w"."package_id" is not null,
  "w"."computer_id",
  "w"."package_id",
  "w"."kind",
  "w"."id"
for update of
  w;

update work
set
  state = 'Leased',
  attempt = attempt + 1,
  leased_until = now() + 900 * interval '1 second',
  run_id = lease.run_id,
  progress = null,
  content_hash = (
    select
      content_hash
    from
      packages
    where
      packages.id = work.package_id
  ),
  start_by = lease.start_by,
  first_leased_at = coalesce(first_leased_at, now())
from
  unnest($1::bigint[], $2::uuid[], $3::timestamptz[]) as lease (id, run_id, start_by)
where
  work.id = lease.id
  and work.id = any ($4::bigint[])
returning
  work.id,
  (
    select
      coalesce(
        task.traceparent,
        (
          select
            traceparent
          from
            rollouts
          where
            id = task.rollout_id
        )
      )
    from
      tasks task
    where
      task.id = work.task_id
  ) as traceparent;

commit;

select
  effective.owner_id,
  definition.dotted_name,
  definition.is_secret,
  effective.value,
  effective.sealed_value
from
  jsonb_array_elements_text($1::jsonb -> 'computers') as asked (computer_id)
  cross join lateral (
    with
      owners as (
        select
          asked.computer_id::integer as owner_id
      ),
      variables as (
        select
          definition.id as variable_id
        from
          variable_definitions as definition
        where
          (
            "definition"."kind" = 'Scalar'
            and not exists (
              select
              from
                variable_definitions parent
              where
                parent.id = "definition"."parent_id"
                and parent.kind = 'Collection'
            )
          )
          and (
            not definition.is_secret
            or ($2::jsonb -> 'secrets') ? lower("definition"."dotted_name")
          )
      ),
      reached as not materialized (
        select
          owner.owner_id,
          above.ancestor_id as group_id,
          above.distance
        from
          "owners" owner
          join effective_memberships member on member.computer_id = owner.owner_id
          join group_ancestors above on above.descendant_id = member.group_id
      ),
      candidates as (
        select
          reached.owner_id,
          stored.variable_id,
          stored.value,
          stored.sealed_value,
          stored.schedule,
          reached.group_id,
          case
            when stored.is_forced then 'forced'
            else 'group'
          end as source,
          case
            when stored.is_forced then 1
            else 3
          end as tier,
          reached.distance,
          0 as configuration_id,
          null::uuid as package_id
        from
          reached
          join group_variables stored on stored.group_id = reached.group_id
          and (
            "stored"."effective_from" is null
            or "stored"."effective_from" <= now()
          )
          join variables using (variable_id)
        union all
        select
          reached.owner_id,
          stored.variable_id,
          stored.value,
          null,
          stored.schedule,
          reached.group_id,
          'configuration',
          3,
          reached.distance,
          stored.configuration_id,
          null
        from
          reached
          join group_variable_configurations assignment on assignment.group_id = reached.group_id
          join variable_configuration_values stored on stored.configuration_id = assignment.configuration_id
          and (
            "stored"."effective_from" is null
            or "stored"."effective_from" <= now()
          )
          join variables using (variable_id)
        union all
        select
          stored.computer_id,
          stored.variable_id,
          stored.value,
          stored.sealed_value,
          stored.schedule,
          null,
          'computer',
          2,
          0,
          0,
          null
        from
          "owners" owner
          join computer_variables stored on stored.computer_id = owner.owner_id
          and (
            "stored"."effective_from" is null
            or "stored"."effective_from" <= now()
          )
          join "variables" variable using (variable_id)
        union all
        select
          owner_id,
          variable_id,
          value,
          null,
          null,
          group_id,
          'package',
          4,
          distance,
          0,
          package_id
        from
          (
            with
              assignments as materialized (
                select
                  group_id,
                  package_id,
                  single_kind,
                  null as tree,
                  null as path
                from
                  assigned_packages
                where
                  single_kind is null
                  and package_id = any (
                    array(
                      select
                        package_id
                      from
                        package_variables
                        join "variables" variable using (variable_id)
                    )
                  )
                union all
                select
                  assignment.group_id,
                  assignment.package_id,
                  assignment.single_kind,
                  assigning.tree,
                  assigning.path
                from
                  assigned_packages assignment
                  join groups assigning on assigning.id = assignment.group_id
                where
                  assignment.single_kind = any (
                    array(
                      select
                        packages.kind
                      from
                        package_variables
                        join "variables" variable using (variable_id)
                        join packages on packages.id = package_variables.package_id
                    )
                  )
              ),
              placed as (
                select
                  reached_group.owner_id,
                  reached_group.group_id,
                  reached_group.distance,
                  assignment.package_id,
                  case
                    when assignment.single_kind is null then 1
                    else rank() over (
                      partition by
                        reached_group.owner_id,
                        assignment.single_kind
                      order by
                        reached_group.distance,
                        assignment.tree <> 'ConfigurationGroups',
                        assignment.path collate "C"
                    )
                  end as place
                from
                  "reached" reached_group
                  join assignments assignment using (group_id)
              )
            select
              placed.owner_id,
              placed.group_id,
              placed.distance,
              placed.package_id,
              stored.variable_id,
              stored.value
            from
              placed
              join package_variables stored using (package_id)
              join "variables" variable using (variable_id)
            where
              placed.place = 1
          ) as defaults
        union all
        select
          owners.owner_id,
          definition.id,
          definition.default_value,
          null,
          null,
          null,
          'default',
          5,
          0,
          0,
          null
        from
          owners
          cross join variables
          join variable_definitions definition on definition.id = variables.variable_id
        where
          definition.default_value is not null
      )
    select distinct
      on (owner_id, variable_id) owner_id,
      variable_id,
      value,
      sealed_value,
      schedule,
      source,
      group_id
    from
      candidates
      left join groups on groups.id = candidates.group_id
    order by
      owner_id,
      variable_id,
      tier,
      case
        when source = 'forced' then groups.depth
        else distance
      end,
      groups.tree <> 'ConfigurationGroups',
      groups.path collate "C",
      configuration_id,
      package_id
  ) as effective
  join variable_definitions definition on definition.id = effective.variable_id
order by
  definition.dotted_name;

select
  entry.owner_id,
  collection.dotted_name as collection,
  entry.entry_id,
  child.designation,
  child.dotted_name,
  child.is_secret,
  stored.value,
  stored.sealed_value
from
  jsonb_array_elements_text($1::jsonb -> 'computers') as asked (computer_id)
  cross join lateral (
    with
      owners as (
        select
          asked.computer_id::integer as owner_id
      ),
      reached as not materialized (
        select
          owner.owner_id,
          above.ancestor_id as group_id,
          above.distance
        from
          "owners" owner
          join effective_memberships member on member.computer_id = owner.owner_id
          join group_ancestors above on above.descendant_id = member.group_id
      ),
      candidates as (
        select
          owners.owner_id,
          entry.variable_id,
          entry.id as entry_id,
          null::uuid as group_id,
          -1 as distance
        from
          owners
          join variable_collection_entries entry on entry.computer_id = owners.owner_id
        union all
        select
          reached.owner_id,
          entry.variable_id,
          entry.id,
          reached.group_id,
          reached.distance
        from
          reached
          join variable_collection_entries entry on entry.group_id = reached.group_id
      ),
      ranked as (
        select
          owner_id,
          variable_id,
          entry_id,
          dense_rank() over (
            partition by
              owner_id,
              variable_id
            order by
              distance,
              groups.tree <> 'ConfigurationGroups',
              groups.path collate "C"
          ) as place
        from
          candidates
          left join groups on groups.id = candidates.group_id
      )
    select distinct
      owner_id,
      variable_id,
      entry_id
    from
      ranked
    where
      place = 1
  ) as entry
  join variable_definitions collection on collection.id = entry.variable_id
  left join (
    variable_collection_values stored
    join variable_definitions child on child.id = stored.variable_id
    and (
      not child.is_secret
      or ($2::jsonb -> 'secrets') ? lower("child"."dotted_name")
    )
  ) on stored.entry_id = entry.entry_id
order by
  collection.dotted_name,
  entry.entry_id,
  child.id;

with
  listing as (
    select
      asked.owner_id,
      g.id as group_id,
      g.path as group_path,
      above.distance,
      ("g"."tree" <> 'ConfigurationGroups') as in_assignment_tree
    from
      (
        select
          jsonb_array_elements_text($1::jsonb)::integer as owner_id
      ) as asked
      join effective_memberships member on member.computer_id = asked.owner_id
      join group_ancestors above on above.descendant_id = member.group_id
      join groups g on g.id = above.ancestor_id
    where
      above.ancestor_id = any (
        array(
          select distinct
            group_id
          from
            group_depot_servers
        )
      )
      and member.computer_id = any (
        array(
          select
            owner_id
          from
            (
              select
                jsonb_array_elements_text($2::jsonb)::integer as owner_id
            ) as asking
        )
      )
  ),
  nearest as (
    select distinct
      on (owner_id) owner_id,
      group_id
    from
      listing
    order by
      owner_id,
      "listing"."distance",
      "listing"."in_assignment_tree",
      "listing"."group_path" collate "C",
      "listing"."group_id"
  )
select
  nearest.owner_id,
  case
    when computers.role = 'DepotServer' then depots.url
  end as url
from
  nearest
  join group_depot_servers listed on listed.group_id = nearest.group_id
  join computers on computers.id = listed.computer_id
  left join depots on depots.computer_id = computers.id
where
  computers.role = 'MasterServer'
  or (
    computers.role = 'DepotServer'
    and depots.url is not null
    and "depots"."heartbeat_at" > now() - interval '5 minutes'
  )
order by
  nearest.owner_id,
  listed.priority;
