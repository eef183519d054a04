select
  computer_id,
  secret_hash,
  next_secret_hash
from
  agents
where
  computer_id = any (
    array(
      select
        jsonb_array_elements_text($1::jsonb)::integer
    )
  );

select
  owner.owner_id,
  coalesce(device.run_id, a.recent_runs[1]) as run_id,
  device.run_id is not null as is_duplicate_process,
  device.run_id is not null as has_no_leased_work,
  a.kind is distinct from 'Muster' as may_refuse,
  a.computer_id is not null as is_enrolled,
  (
    a.computer_id is null
    or late.is_late
  )
  and exists (
    select
    from
      quarantined_agents claim
    where
      claim.computer_id = owner.owner_id
  ) as is_quarantined,
  case
    when late.is_late then contact.last_seen_at
  end as silent_since,
  a.suspension_mode is not null
  and (
    a.suspended_until is null
    or a.suspended_until > now()
  ) as is_suspended,
  a.suspended_until
from
  (
    select
      $1::integer as owner_id
  ) as owner
  left join agents a on a.computer_id = owner.owner_id
  left join computer_contacts contact on contact.computer_id = a.computer_id
  left join (
    select
      effective.owner_id as computer_id,
      make_interval(
        mins => ceil(
          1.5 * case
            when jsonb_typeof("template"."manifest" #> '{settings,contactIntervalMinutes}') = 'number' then least(10080, ("template"."manifest" #> '{settings,contactIntervalMinutes}')::numeric)
          end
        )::integer
      ) as stale_after
    from
      (
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
                  late.computer_id as owner_id
                from
                  computer_contacts late
                where
                  late.last_seen_at <= now() - make_interval(hours => 24)
                  and (
                    select
                      exists (
                        select
                        from
                          group_agent_templates assignment
                          join packages template on template.id = assignment.package_id
                        where
                          case
                            when jsonb_typeof("template"."manifest" #> '{settings,contactIntervalMinutes}') = 'number' then least(10080, ("template"."manifest" #> '{settings,contactIntervalMinutes}')::numeric)
                          end > 960
                      )
                  )
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
      ) as effective
      join packages template on template.id = effective.object_id
      left join agents on agents.computer_id = effective.owner_id
    where
      case
        when jsonb_typeof("template"."manifest" #> '{settings,contactIntervalMinutes}') = 'number' then least(10080, ("template"."manifest" #> '{settings,contactIntervalMinutes}')::numeric)
      end > 960
      and (
        (
          "template"."is_operational"
          and "template"."hash_state" = 'Current'
        )
        or "agents"."settings_hash" = encode(sha256(convert_to((coalesce("template"."manifest" -> 'settings', '{}'))::jsonb::text, 'UTF8')), 'hex')
      )
  ) as slow on slow.computer_id = owner.owner_id
  left join lateral (
    select
      stored.run_id
    from
      fusion_devices stored
    where
      stored.computer_id = a.computer_id
      and a.kind <> 'Muster'
    order by
      stored.id desc
    limit
      1
  ) as device on true
  cross join lateral (
    select
      coalesce("contact"."last_seen_at" <= now() - coalesce("slow"."stale_after", make_interval(hours => 24)), false) as is_late
  ) as late;

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
  ) is not null as has_other_lease,
  w.state,
  w.progress,
  w.task_id,
  w.created_at,
  w.group_id
from
  (
    select
      $1::integer as owner_id,
      $2::uuid as run_id,
      $3::boolean as is_duplicate_process,
      $4::boolean as has_no_leased_work
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
where
  "w"."state" in ('Due', 'Leased')
order by
  w.id;

select
  packages.id as "packageId",
  packages.name,
  packages.package_name,
  coalesce(packages.version, '') as version,
  left(coalesce(packages.description, ''), 500) as description,
  coalesce(packages.manifest ->> 'category', '') as category,
  encode(icon.sha256, 'hex') as "iconSha256",
  d.installation_state,
  d.status,
  d.installed_at,
  d.failed_at
from
  packages
  left join deployments d on d.computer_id = $1
  and d.package_id = packages.id
  left join package_files icon on icon.package_id = packages.id
  and icon.path = replace(packages.manifest ->> 'icon', '\', '/')
where
  packages.kind = any ($2::text[])
  and (
    packages.id = any ($3::uuid[])
    or packages.id = any (
      array(
        select
          package_id
        from
          deployments
        where
          computer_id = $4
          and current_mode & 32 = 0
          and (
            installation_state = 'Installed'
            or status = 'Failed'
          )
      )
    )
  )
order by
  lower(packages.name),
  packages.version,
  packages.id
limit
  1000;

select
  packages.name,
  coalesce(packages.version, '') as version,
  event.result,
  event.install_mode as action,
  event.logged_at as "atUtc"
from
  distribution_events event
  join packages on packages.id = event.package_id
  left join deployments d on d.computer_id = event.computer_id
  and d.package_id = event.package_id
where
  event.computer_id = $1
  and packages.kind = any ($2::text[])
  and coalesce(d.current_mode, 0) & 32 = 0
order by
  event.id desc
limit
  50;

select
  "id" as "requestId",
  "wish",
  "user_name" as "user",
  state as "state",
  "answer",
  "requested_at" as "requestedUtc"
from
  "package_requests"
where
  "computer_id" = $1
order by
  "requested_at" desc
limit
  $2;
