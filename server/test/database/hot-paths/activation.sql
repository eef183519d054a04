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

begin;

set
  local muster.traceparent = '…';

select
  "api_quota",
  "console_quota"
from
  "installation";

select
  set_config(
    'enable_nestloop',
    case
      when count(*) > $1 then 'off'
      else 'on'
    end,
    true
  ),
  set_config(
    'plan_cache_mode',
    case
      when count(*) > $2 then 'force_custom_plan'
      else current_setting('plan_cache_mode')
    end,
    true
  ),
  set_config('jit', 'off', true),
  set_config('statement_timeout', '15min', true)
from
  (
    select
      $3::integer as owner_id
  ) as scope;

select
  count(*)
from
  (
    select
      id
    from
      groups
    where
      id = $1::uuid
      or id in (
        select
          above.ancestor_id
        from
          group_ancestors above
        where
          above.descendant_id in (
            select
              member.group_id
            from
              effective_memberships member
            where
              member.computer_id in (
                select
                  $2::integer as owner_id
              )
          )
      )
    order by
      id
    for key share
  ) as pinned;

select
  "id"
from
  "computers"
where
  "id" = $1
for no key update;

select
  count(*)::integer as "computerCount",
  (count(*) - count(mac_key))::integer as "withoutMacAddress",
  now()
from
  (
    select
      id,
      mac_key
    from
      computers
    where
      id in (
        select
          $1::integer as owner_id
      )
    order by
      id
    for key share
  ) as pinned;

select
  count(*)
from
  (
    select
      computer_id
    from
      group_computers
    where
      computer_id in (
        select
          $1::integer as owner_id
      )
      and group_id in (
        select
          id
        from
          permanent_groups
      )
    order by
      computer_id,
      group_id
    for no key update
  ) as locked;

select
  schedule,
  bool_or(wol) as wol,
  false as has_relations
from
  distribution_options
where
  group_id in (
    select
      above.ancestor_id
    from
      group_ancestors above
    where
      above.descendant_id in (
        select
          group_id
        from
          group_computers
        where
          computer_id in (
            select
              $1::integer as owner_id
          )
      )
  )
group by
  schedule
union all
select
  '',
  false,
  true
where
  exists (
    select
    from
      package_requirements
  )
  or exists (
    select
    from
      package_supersedes
  );

insert into
  "tasks" ("kind", "computer_id", "group_id", "package_id", "rollout_id", "created_by", "created_by_id")
values
  ($1, $2, $3, $4, $5, $6, $7)
returning
  "id";

select
  max(id) as id
from
  work
where
  task_id = $1;

insert into
  activations (computer_id, group_id, software, pxe, pull)
select
  published.computer_id,
  group_id,
  $1::boolean,
  $2::boolean,
  $3::boolean
from
  (
    select
      computers.id as computer_id,
      membership.group_id
    from
      computers
      left join lateral (
        select
          group_id
        from
          effective_memberships
        where
          computer_id = computers.id
        order by
          tree <> 'ConfigurationGroups',
          path collate "C",
          group_id
      ) as membership on true
    where
      computers.id = any ($4::integer[])
  ) as published
where
  $5::boolean
  or $6::boolean
  or $7::boolean
order by
  published.computer_id,
  group_id
on conflict on constraint activations_computer_id_group_id_key do update
set
  software = activations.software
  or excluded.software,
  pxe = activations.pxe
  or excluded.pxe,
  pull = activations.pull
  or excluded.pull,
  activated_at = excluded.activated_at;

select
  exists (
    select
    from
      (
        select
          $1::integer as owner_id
      ) as scope
      cross join lateral (
        select
          id,
          computer_id,
          package_id,
          kind,
          boot_image_id,
          sku_id,
          group_id,
          commands,
          schedule,
          revoke_count,
          revoke_date,
          optional_date,
          user_deadline,
          pre_download,
          is_brought
        from
          work
        where
          computer_id = scope.owner_id
          and state = 'Due'
          and package_id is not null
          and reinstall_group_id is null
          and rolled_back_package_id is null
          and kind <> 'Trial'
        offset
          0
      ) as item
  ) as exists;

with
  waiting as materialized (
    select
      item.*
    from
      (
        select
          $1::integer as owner_id
      ) as scope
      cross join lateral (
        select
          id,
          computer_id,
          package_id,
          kind,
          boot_image_id,
          sku_id,
          group_id,
          commands,
          schedule,
          revoke_count,
          revoke_date,
          optional_date,
          user_deadline,
          pre_download,
          is_brought
        from
          work
        where
          computer_id = scope.owner_id
          and state = 'Due'
          and package_id is not null
          and reinstall_group_id is null
          and rolled_back_package_id is null
          and kind <> 'Trial'
        offset
          0
      ) as item
      join packages p on p.id = item.package_id
      and p.kind <> 'PatchFix'
    where
      (
        "item"."kind" <> 'OperatingSystem'
        and not "p"."is_pre_os"
      )
  ),
  due as materialized (
    select
      *
    from
      (
        with recursive
          member_groups as materialized (
            select
              membership.computer_id,
              array_agg(
                membership.group_id
                order by
                  membership.group_id
              ) as groups,
              array_agg(
                membership.group_id
                order by
                  membership.group_id
              ) filter (
                where
                  published.id is not null
              ) as published
            from
              (
                select distinct
                  computer_id as owner_id
                from
                  waiting
              ) as scope
              join effective_memberships membership on membership.computer_id = scope.owner_id
              left join activations as published on published.computer_id = membership.computer_id
              and published.group_id = membership.group_id
              and published."software"
            group by
              membership.computer_id
          ),
          member as materialized (
            select
              computer_id,
              published,
              min(computer_id) over (
                partition by
                  groups,
                  published
              ) as owner_id
            from
              member_groups
            where
              published is not null
          ),
          platform as materialized (
            select
              computer_platforms.*
            from
              member
              join computer_platforms on computer_platforms.computer_id = member.computer_id
          ),
          reach as materialized (
            select distinct
              member.owner_id,
              above.ancestor_id
            from
              member
              cross join unnest(member.published) as own_group (id)
              join group_ancestors above on above.descendant_id = own_group.id
            where
              member.computer_id = member.owner_id
          ),
          offered as materialized (
            select
              effective.computer_id as owner_id,
              effective.package_id,
              effective.group_id,
              false as is_system,
              null::integer as boot_image_id,
              null::uuid as boot_package_id,
              null::integer as sku_id
            from
              (
                select
                  owner_id as computer_id,
                  package_id,
                  group_id,
                  group_path,
                  distance,
                  in_assignment_tree,
                  class_id
                from
                  (
                    select distinct
                      on (owner_id, package_id) owner_id,
                      package_id,
                      group_id,
                      group_path,
                      distance,
                      in_assignment_tree,
                      class_id
                    from
                      (
                        select
                          owner_id,
                          object_id as package_id,
                          group_id,
                          group_path,
                          distance,
                          in_assignment_tree,
                          null::integer as class_id
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
                                  computer_id as owner_id
                                from
                                  member
                                where
                                  computer_id = owner_id
                              ) as owner
                              join effective_memberships membership on membership.computer_id = owner.owner_id
                              join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                              join "group_packages" assignment on assignment.group_id = ancestry.ancestor_id
                              join groups ancestor on ancestor.id = ancestry.ancestor_id
                          ) as direct
                        union all
                        select
                          owner_id,
                          covered.package_id,
                          group_id,
                          group_path,
                          distance,
                          in_assignment_tree,
                          covered.class_id
                        from
                          (
                            select
                              owner.owner_id,
                              assignment."class_id" as object_id,
                              ancestor.id as group_id,
                              ancestor.path as group_path,
                              ancestry.distance,
                              ("ancestor"."tree" <> 'ConfigurationGroups') as in_assignment_tree,
                              "membership"."group_id" as member_group_id
                            from
                              (
                                select
                                  computer_id as owner_id
                                from
                                  member
                                where
                                  computer_id = owner_id
                              ) as owner
                              join effective_memberships membership on membership.computer_id = owner.owner_id
                              join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                              join "group_software_classes" assignment on assignment.group_id = ancestry.ancestor_id
                              join groups ancestor on ancestor.id = ancestry.ancestor_id
                          ) as classes
                          join software_class_packages covered on covered.class_id = classes.object_id
                      ) as reached
                    order by
                      owner_id,
                      package_id,
                      "reached"."distance",
                      "reached"."in_assignment_tree",
                      "reached"."group_path" collate "C",
                      "reached"."group_id",
                      class_id nulls first
                  ) as of_computers
              ) as effective
              join packages p on p.id = effective.package_id
              and not "p"."is_pre_os"
              and "p"."kind" in ('Software', 'InventoryScan', 'PatchScan')
              join reach on reach.owner_id = effective.computer_id
              and reach.ancestor_id = effective.group_id
            union all
            select
              pack.owner_id,
              pack.object_id,
              pack.group_id,
              false,
              null,
              null,
              null
            from
              (
                select distinct
                  on (owner_id, object_id) owner_id,
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
                          computer_id as owner_id
                        from
                          member
                        where
                          computer_id = owner_id
                      ) as owner
                      join effective_memberships membership on membership.computer_id = owner.owner_id
                      join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                      join "group_language_packs" assignment on assignment.group_id = ancestry.ancestor_id
                      join groups ancestor on ancestor.id = ancestry.ancestor_id
                  ) as reached
                order by
                  owner_id,
                  object_id,
                  "reached"."distance",
                  "reached"."in_assignment_tree",
                  "reached"."group_path" collate "C",
                  "reached"."group_id"
              ) as pack
              join reach on reach.owner_id = pack.owner_id
              and reach.ancestor_id = pack.group_id
          ),
          options as materialized (
            select
              owner.group_id,
              owner.package_id,
              coalesce(nearest.dist_commands, $2) as dist_commands,
              coalesce(nearest.schedule, '') as schedule,
              coalesce(nearest.revoke_count, 0) as revoke_count,
              coalesce(nearest.wol, false) as wol,
              coalesce(nearest.pre_download, false) as pre_download,
              nearest.revoke_date,
              nearest.optional_date,
              nearest.user_deadline,
              nearest.group_id as source_group_id,
              nearest.package_id is not null as is_for_package
            from
              (
                select distinct
                  group_id,
                  package_id
                from
                  offered
              ) as owner
              left join lateral (
                select
                  stored.group_id,
                  stored.package_id,
                  stored.dist_commands,
                  stored.schedule,
                  stored.revoke_count,
                  stored.wol,
                  stored.revoke_date,
                  stored.optional_date,
                  stored.user_deadline,
                  stored.pre_download
                from
                  group_ancestors ancestry
                  join distribution_options stored on stored.group_id = ancestry.ancestor_id
                  and (
                    stored.package_id is null
                    or stored.package_id = owner.package_id
                  )
                where
                  ancestry.descendant_id = owner.group_id
                order by
                  ancestry.distance,
                  stored.package_id nulls last
                limit
                  1
              ) as nearest on true
          ),
          named as materialized (
            select
              id,
              content_hash,
              line_key,
              row_number() over (
                order by
                  lower(name),
                  version,
                  id
              ) as place,
              coalesce(
                "packages"."manifest" -> 'commands' ? 'uninstall'
                or "packages"."manifest" ?| array['msi', 'source'],
                true
              ) as is_removable,
              "kind",
              "for_systems",
              "for_image_systems",
              "for_server",
              "for_architecture",
              "conditions"
            from
              packages
            where
              id in (
                select
                  package_id
                from
                  offered
              )
          ),
          outdated as materialized (
            select distinct
              installed.computer_id,
              named.id as package_id
            from
              named
              join packages other on other.line_key = named.line_key
              and other.id <> named.id
              join deployments installed on installed.package_id = other.id
              and installed.installation_state = 'Installed'
            where
              installed.computer_id in (
                select
                  computer_id
                from
                  member
              )
          ),
          waiting_for_ring as materialized (
            select
              placed.computer_id,
              upgrading.package_id
            from
              rollouts upgrading
              join rollout_computers placed on placed.rollout_id = upgrading.id
              and placed.state = 'Waiting'
            where
              upgrading.upgrade_id is not null
              and upgrading.ended_at is null
              and upgrading.state <> 'Cancelled'
              and upgrading.package_id in (
                select
                  package_id
                from
                  offered
              )
              and placed.computer_id in (
                select
                  computer_id
                from
                  member
              )
              and upgrading.id is distinct from $3::uuid
          ),
          offer as materialized (
            select
              offered.owner_id,
              offered.package_id,
              offered.group_id,
              offered.is_system,
              offered.boot_image_id,
              offered.boot_package_id,
              offered.sku_id,
              named.content_hash,
              named.place,
              named.is_removable,
              "kind",
              "for_systems",
              "for_image_systems",
              "for_server",
              "for_architecture",
              "conditions",
              case
                when offered.is_system then (("options"."dist_commands" & ~ 15::integer | 1::integer) & ~ 64::integer)
                else options.dist_commands
              end as commands,
              options.schedule,
              options.revoke_count,
              options.revoke_date,
              options.optional_date,
              options.user_deadline,
              options.pre_download,
              -- A schedule that was stored after the windows were read counts as ended: the next contact computes its window.
              case
                when options.schedule = '' then now()
                else coalesce(windows.starts_at, now())
              end as not_before,
              case
                when options.schedule = '' then null
                when windows.schedule is null then now()
                else windows.ends_at
              end as window_ends_at
            from
              offered
              join options on options.group_id = offered.group_id
              and options.package_id = offered.package_id
              join named on named.id = offered.package_id
              left join unnest($4::text[], $5::timestamptz[], $6::timestamptz[]) as windows (schedule, starts_at, ends_at) on windows.schedule = options.schedule
          ),
          candidate as (
            select
              member.computer_id,
              offer.package_id,
              offer.group_id,
              offer.commands,
              offer.schedule,
              offer.not_before,
              offer.window_ends_at,
              offer.revoke_count,
              offer.revoke_date,
              offer.optional_date,
              offer.user_deadline,
              offer.pre_download,
              offer.place,
              offer.boot_image_id,
              offer.sku_id,
              null::uuid[] as required_by,
              false as is_brought,
              case
                when offer.is_system then 'OperatingSystem'
                -- The time for which it was offered is over.
                when ("offer"."commands" & 68 = 64)
                and offer.optional_date <= now() then null
                when offer.commands & $7::integer <> 0 then 'Reinstall'
                when offer.commands & $8::integer <> 0 then case
                  when d.installation_state = 'Installed'
                  and offer.is_removable then 'Uninstall'
                end
                when d.installation_state = 'Installed' then case
                  when offer.commands & $9::integer <> 0
                  and d.installed_hash <> offer.content_hash then 'Update'
                end
                when outdated.package_id is not null then 'Update'
                when offer.commands & $10::integer <> 0 then 'Install'
              end as kind,
              true as is_applicable
            from
              member
              join offer on offer.owner_id = member.owner_id
              left join deployments d on d.computer_id = member.computer_id
              and d.package_id = offer.package_id
              left join outdated on outdated.computer_id = member.computer_id
              and outdated.package_id = offer.package_id
              join platform on platform.computer_id = member.computer_id
              left join packages boot on boot.id = offer.boot_package_id
            where
              (
                not (
                  (
                    "offer"."for_systems" is not null
                    and not coalesce("offer"."for_systems" && "platform"."system_names", true)
                    or "offer"."for_image_systems" is not null
                    and not coalesce("offer"."for_image_systems" && "platform"."system_names", true)
                  )
                  or not coalesce("offer"."for_server" = "platform"."is_server", true)
                  or (
                    "offer"."for_architecture" is not null
                    and not coalesce(
                      case
                        when "offer"."kind" = 'LanguagePack' then "offer"."for_architecture" = "platform"."system_architecture"
                        else processor_family ("offer"."for_architecture") = "platform"."processor"
                      end,
                      true
                    )
                  )
                  or (
                    coalesce("offer"."kind" in ('OperatingSystem', 'PxeBootImage'), false)
                    and not "platform"."pxe_support"
                  )
                )
                and (
                  not offer.is_system
                  or not (
                    (
                      "boot"."for_systems" is not null
                      and not coalesce("boot"."for_systems" && "platform"."system_names", true)
                      or "boot"."for_image_systems" is not null
                      and not coalesce("boot"."for_image_systems" && "platform"."system_names", true)
                    )
                    or not coalesce("boot"."for_server" = "platform"."is_server", true)
                    or (
                      "boot"."for_architecture" is not null
                      and not coalesce(
                        case
                          when "boot"."kind" = 'LanguagePack' then "boot"."for_architecture" = "platform"."system_architecture"
                          else processor_family ("boot"."for_architecture") = "platform"."processor"
                        end,
                        true
                      )
                    )
                    or (
                      coalesce("boot"."kind" in ('OperatingSystem', 'PxeBootImage'), false)
                      and not "platform"."pxe_support"
                    )
                  )
                )
                and (
                  offer.commands & 4 <> 0
                  or d.installation_state is not distinct from 'Installed'
                  or case
                    when "offer"."conditions" is not null then unmet_condition ("offer"."conditions", "platform"."computer_id")
                  end is null
                )
                and true
              )
              and true
              and not (
                ("member"."computer_id", "offer"."package_id") in (
                  select
                    computer_id,
                    package_id
                  from
                    waiting_for_ring
                )
              )
          )
        select
          computer_id,
          package_id,
          kind,
          boot_image_id,
          sku_id,
          not_before,
          window_ends_at,
          place,
          required_by,
          group_id,
          commands,
          schedule,
          revoke_count,
          revoke_date,
          optional_date,
          user_deadline,
          pre_download,
          is_brought
        from
          candidate
        where
          kind is not null
      ) as due
  ),
  differing as materialized (
    select
      computer_id,
      package_id,
      kind,
      boot_image_id,
      sku_id,
      group_id,
      commands,
      schedule,
      revoke_count,
      revoke_date,
      optional_date,
      user_deadline,
      pre_download,
      is_brought
    from
      waiting
    except
    select
      computer_id,
      package_id,
      kind,
      boot_image_id,
      sku_id,
      group_id,
      commands,
      schedule,
      revoke_count,
      revoke_date,
      optional_date,
      user_deadline,
      pre_download,
      is_brought
    from
      due
  ),
  changing as materialized (
    select
      work.id,
      (due.kind, due.boot_image_id, due.sku_id) is distinct from (work.kind, work.boot_image_id, work.sku_id) as is_obsolete,
      due.*,
      case
        when work.attempt = 0
        and ("work"."commands" & 68 = 64) <> ("due"."commands" & 68 = 64) then ("due"."commands" & 68 = 64)
      end as becomes_offer
    from
      work
      left join due on due.computer_id = work.computer_id
      and due.package_id = work.package_id
    where
      work.id = any (
        array(
          select
            id
          from
            waiting
            join differing using (computer_id, package_id)
        )
      )
      and work.state = 'Due'
      and true
    order by
      "work"."package_id" is not null,
      "work"."computer_id",
      "work"."package_id",
      "work"."kind",
      "work"."id"
    for update of
      work
  ),
  cancelled as (
    update work
    set
      state = 'Cancelled',
      closed_at = now(),
      leased_until = null,
      cancel_reason = 'NotDue',
      cancel_subject = $11::text
    from
      (
        select
          id
        from
          changing
        where
          is_obsolete
      ) as target
    where
      work.id = target.id
    returning
      work.computer_id,
      work.package_id,
      work.kind,
      work.reinstall_group_id
  ),
  updated_deployments as (
    update deployments
    set
      pending_since = null
    from
      (
        select
          d.computer_id,
          d.package_id
        from
          cancelled
          join deployments d on d.computer_id = cancelled.computer_id
          and d.package_id = cancelled.package_id
        order by
          d.computer_id,
          d.package_id
        for update of
          d
      ) as pending
    where
      deployments.computer_id = pending.computer_id
      and deployments.package_id = pending.package_id
  ),
  cancellation_events as (
    insert into
      distribution_events (computer_id, package_id, result, classification, install_mode, info, kb_number)
    select
      computer_id,
      package_id,
      'Cancelled',
      'Cancellation',
      "kind",
      $12::text,
      null
    from
      cancelled
    where
      package_id is not null
  ),
  changed_deployments as (
    insert into
      deployments (computer_id, package_id, pending_since)
    select
      computer_id,
      package_id,
      case
        when not becomes_offer then now()
      end
    from
      changing
    where
      not is_obsolete
      and becomes_offer is not null
    order by
      computer_id,
      package_id
    on conflict on constraint deployments_pkey do update
    set
      pending_since = excluded.pending_since
  )
update work
set
  group_id = changing.group_id,
  commands = changing.commands,
  schedule = changing.schedule,
  revoke_count = changing.revoke_count,
  revoke_date = changing.revoke_date,
  optional_date = changing.optional_date,
  user_deadline = changing.user_deadline,
  pre_download = changing.pre_download,
  is_brought = changing.is_brought,
  window_ends_at = case
    when work.schedule = changing.schedule then work.window_ends_at
    else changing.window_ends_at
  end,
  not_before = case
    when work.schedule = changing.schedule then work.not_before
    when work.attempt > 0
    or work.postponements > 0 then greatest(nullif(work.not_before, 'infinity'), changing.not_before)
    else changing.not_before
  end,
  delayed_by = case
    when work.schedule = changing.schedule
    or work.not_before > changing.not_before then work.delayed_by
  end
from
  changing
where
  work.id = changing.id
  and not changing.is_obsolete;

select
  exists (
    select
    from
      work
    where
      work.kind = 'Trial'
      and "work"."state" in ('Due', 'Leased')
  ) as exists;

insert into
  work (
    computer_id,
    package_id,
    task_id,
    rollout_id,
    kind,
    boot_image_id,
    sku_id,
    not_before,
    window_ends_at,
    group_id,
    commands,
    schedule,
    revoke_count,
    revoke_date,
    optional_date,
    user_deadline,
    pre_download,
    is_brought
  )
select
  computer_id,
  package_id,
  $1::uuid,
  $2::uuid,
  kind,
  boot_image_id,
  sku_id,
  not_before,
  window_ends_at,
  group_id,
  commands,
  schedule,
  revoke_count,
  revoke_date,
  optional_date,
  user_deadline,
  pre_download,
  is_brought
from
  (
    with recursive
      member_groups as materialized (
        select
          membership.computer_id,
          array_agg(
            membership.group_id
            order by
              membership.group_id
          ) as groups,
          array_agg(
            membership.group_id
            order by
              membership.group_id
          ) filter (
            where
              published.id is not null
          ) as published
        from
          (
            select
              $3::integer as owner_id
          ) as scope
          join effective_memberships membership on membership.computer_id = scope.owner_id
          left join activations as published on published.computer_id = membership.computer_id
          and published.group_id = membership.group_id
          and published."software"
        group by
          membership.computer_id
      ),
      member as materialized (
        select
          computer_id,
          published,
          min(computer_id) over (
            partition by
              groups,
              published
          ) as owner_id
        from
          member_groups
        where
          published is not null
      ),
      platform as materialized (
        select
          computer_platforms.*
        from
          member
          join computer_platforms on computer_platforms.computer_id = member.computer_id
      ),
      reach as materialized (
        select distinct
          member.owner_id,
          above.ancestor_id
        from
          member
          cross join unnest(member.published) as own_group (id)
          join group_ancestors above on above.descendant_id = own_group.id
        where
          member.computer_id = member.owner_id
      ),
      offered as materialized (
        select
          effective.computer_id as owner_id,
          effective.package_id,
          effective.group_id,
          false as is_system,
          null::integer as boot_image_id,
          null::uuid as boot_package_id,
          null::integer as sku_id
        from
          (
            select
              owner_id as computer_id,
              package_id,
              group_id,
              group_path,
              distance,
              in_assignment_tree,
              class_id
            from
              (
                select distinct
                  on (owner_id, package_id) owner_id,
                  package_id,
                  group_id,
                  group_path,
                  distance,
                  in_assignment_tree,
                  class_id
                from
                  (
                    select
                      owner_id,
                      object_id as package_id,
                      group_id,
                      group_path,
                      distance,
                      in_assignment_tree,
                      null::integer as class_id
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
                              computer_id as owner_id
                            from
                              member
                            where
                              computer_id = owner_id
                          ) as owner
                          join effective_memberships membership on membership.computer_id = owner.owner_id
                          join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                          join "group_packages" assignment on assignment.group_id = ancestry.ancestor_id
                          join groups ancestor on ancestor.id = ancestry.ancestor_id
                      ) as direct
                    union all
                    select
                      owner_id,
                      covered.package_id,
                      group_id,
                      group_path,
                      distance,
                      in_assignment_tree,
                      covered.class_id
                    from
                      (
                        select
                          owner.owner_id,
                          assignment."class_id" as object_id,
                          ancestor.id as group_id,
                          ancestor.path as group_path,
                          ancestry.distance,
                          ("ancestor"."tree" <> 'ConfigurationGroups') as in_assignment_tree,
                          "membership"."group_id" as member_group_id
                        from
                          (
                            select
                              computer_id as owner_id
                            from
                              member
                            where
                              computer_id = owner_id
                          ) as owner
                          join effective_memberships membership on membership.computer_id = owner.owner_id
                          join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                          join "group_software_classes" assignment on assignment.group_id = ancestry.ancestor_id
                          join groups ancestor on ancestor.id = ancestry.ancestor_id
                      ) as classes
                      join software_class_packages covered on covered.class_id = classes.object_id
                  ) as reached
                order by
                  owner_id,
                  package_id,
                  "reached"."distance",
                  "reached"."in_assignment_tree",
                  "reached"."group_path" collate "C",
                  "reached"."group_id",
                  class_id nulls first
              ) as of_computers
          ) as effective
          join packages p on p.id = effective.package_id
          and not "p"."is_pre_os"
          and "p"."kind" in ('Software', 'InventoryScan', 'PatchScan')
          join reach on reach.owner_id = effective.computer_id
          and reach.ancestor_id = effective.group_id
        union all
        select
          pack.owner_id,
          pack.object_id,
          pack.group_id,
          false,
          null,
          null,
          null
        from
          (
            select distinct
              on (owner_id, object_id) owner_id,
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
                      computer_id as owner_id
                    from
                      member
                    where
                      computer_id = owner_id
                  ) as owner
                  join effective_memberships membership on membership.computer_id = owner.owner_id
                  join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                  join "group_language_packs" assignment on assignment.group_id = ancestry.ancestor_id
                  join groups ancestor on ancestor.id = ancestry.ancestor_id
              ) as reached
            order by
              owner_id,
              object_id,
              "reached"."distance",
              "reached"."in_assignment_tree",
              "reached"."group_path" collate "C",
              "reached"."group_id"
          ) as pack
          join reach on reach.owner_id = pack.owner_id
          and reach.ancestor_id = pack.group_id
      ),
      options as materialized (
        select
          owner.group_id,
          owner.package_id,
          coalesce(nearest.dist_commands, $4) as dist_commands,
          coalesce(nearest.schedule, '') as schedule,
          coalesce(nearest.revoke_count, 0) as revoke_count,
          coalesce(nearest.wol, false) as wol,
          coalesce(nearest.pre_download, false) as pre_download,
          nearest.revoke_date,
          nearest.optional_date,
          nearest.user_deadline,
          nearest.group_id as source_group_id,
          nearest.package_id is not null as is_for_package
        from
          (
            select distinct
              group_id,
              package_id
            from
              offered
          ) as owner
          left join lateral (
            select
              stored.group_id,
              stored.package_id,
              stored.dist_commands,
              stored.schedule,
              stored.revoke_count,
              stored.wol,
              stored.revoke_date,
              stored.optional_date,
              stored.user_deadline,
              stored.pre_download
            from
              group_ancestors ancestry
              join distribution_options stored on stored.group_id = ancestry.ancestor_id
              and (
                stored.package_id is null
                or stored.package_id = owner.package_id
              )
            where
              ancestry.descendant_id = owner.group_id
            order by
              ancestry.distance,
              stored.package_id nulls last
            limit
              1
          ) as nearest on true
      ),
      named as materialized (
        select
          id,
          content_hash,
          line_key,
          row_number() over (
            order by
              lower(name),
              version,
              id
          ) as place,
          coalesce(
            "packages"."manifest" -> 'commands' ? 'uninstall'
            or "packages"."manifest" ?| array['msi', 'source'],
            true
          ) as is_removable,
          "kind",
          "for_systems",
          "for_image_systems",
          "for_server",
          "for_architecture",
          "conditions"
        from
          packages
        where
          id in (
            select
              package_id
            from
              offered
          )
      ),
      outdated as materialized (
        select distinct
          installed.computer_id,
          named.id as package_id
        from
          named
          join packages other on other.line_key = named.line_key
          and other.id <> named.id
          join deployments installed on installed.package_id = other.id
          and installed.installation_state = 'Installed'
        where
          installed.computer_id in (
            select
              computer_id
            from
              member
          )
      ),
      waiting_for_ring as materialized (
        select
          placed.computer_id,
          upgrading.package_id
        from
          rollouts upgrading
          join rollout_computers placed on placed.rollout_id = upgrading.id
          and placed.state = 'Waiting'
        where
          upgrading.upgrade_id is not null
          and upgrading.ended_at is null
          and upgrading.state <> 'Cancelled'
          and upgrading.package_id in (
            select
              package_id
            from
              offered
          )
          and placed.computer_id in (
            select
              computer_id
            from
              member
          )
          and upgrading.id is distinct from $5::uuid
      ),
      offer as materialized (
        select
          offered.owner_id,
          offered.package_id,
          offered.group_id,
          offered.is_system,
          offered.boot_image_id,
          offered.boot_package_id,
          offered.sku_id,
          named.content_hash,
          named.place,
          named.is_removable,
          "kind",
          "for_systems",
          "for_image_systems",
          "for_server",
          "for_architecture",
          "conditions",
          case
            when offered.is_system then (("options"."dist_commands" & ~ 15::integer | 1::integer) & ~ 64::integer)
            else options.dist_commands
          end as commands,
          options.schedule,
          options.revoke_count,
          options.revoke_date,
          options.optional_date,
          options.user_deadline,
          options.pre_download,
          -- A schedule that was stored after the windows were read counts as ended: the next contact computes its window.
          case
            when options.schedule = '' then now()
            else coalesce(windows.starts_at, now())
          end as not_before,
          case
            when options.schedule = '' then null
            when windows.schedule is null then now()
            else windows.ends_at
          end as window_ends_at
        from
          offered
          join options on options.group_id = offered.group_id
          and options.package_id = offered.package_id
          join named on named.id = offered.package_id
          left join unnest($6::text[], $7::timestamptz[], $8::timestamptz[]) as windows (schedule, starts_at, ends_at) on windows.schedule = options.schedule
      ),
      candidate as (
        select
          member.computer_id,
          offer.package_id,
          offer.group_id,
          offer.commands,
          offer.schedule,
          offer.not_before,
          offer.window_ends_at,
          offer.revoke_count,
          offer.revoke_date,
          offer.optional_date,
          offer.user_deadline,
          offer.pre_download,
          offer.place,
          offer.boot_image_id,
          offer.sku_id,
          null::uuid[] as required_by,
          false as is_brought,
          case
            when offer.is_system then 'OperatingSystem'
            -- The time for which it was offered is over.
            when ("offer"."commands" & 68 = 64)
            and offer.optional_date <= now() then null
            when offer.commands & $9::integer <> 0 then 'Reinstall'
            when offer.commands & $10::integer <> 0 then case
              when d.installation_state = 'Installed'
              and offer.is_removable then 'Uninstall'
            end
            when d.installation_state = 'Installed' then case
              when offer.commands & $11::integer <> 0
              and d.installed_hash <> offer.content_hash then 'Update'
            end
            when outdated.package_id is not null then 'Update'
            when offer.commands & $12::integer <> 0 then 'Install'
          end as kind,
          true as is_applicable
        from
          member
          join offer on offer.owner_id = member.owner_id
          left join deployments d on d.computer_id = member.computer_id
          and d.package_id = offer.package_id
          left join outdated on outdated.computer_id = member.computer_id
          and outdated.package_id = offer.package_id
          join platform on platform.computer_id = member.computer_id
          left join packages boot on boot.id = offer.boot_package_id
        where
          (
            not (
              (
                "offer"."for_systems" is not null
                and not coalesce("offer"."for_systems" && "platform"."system_names", true)
                or "offer"."for_image_systems" is not null
                and not coalesce("offer"."for_image_systems" && "platform"."system_names", true)
              )
              or not coalesce("offer"."for_server" = "platform"."is_server", true)
              or (
                "offer"."for_architecture" is not null
                and not coalesce(
                  case
                    when "offer"."kind" = 'LanguagePack' then "offer"."for_architecture" = "platform"."system_architecture"
                    else processor_family ("offer"."for_architecture") = "platform"."processor"
                  end,
                  true
                )
              )
              or (
                coalesce("offer"."kind" in ('OperatingSystem', 'PxeBootImage'), false)
                and not "platform"."pxe_support"
              )
            )
            and (
              not offer.is_system
              or not (
                (
                  "boot"."for_systems" is not null
                  and not coalesce("boot"."for_systems" && "platform"."system_names", true)
                  or "boot"."for_image_systems" is not null
                  and not coalesce("boot"."for_image_systems" && "platform"."system_names", true)
                )
                or not coalesce("boot"."for_server" = "platform"."is_server", true)
                or (
                  "boot"."for_architecture" is not null
                  and not coalesce(
                    case
                      when "boot"."kind" = 'LanguagePack' then "boot"."for_architecture" = "platform"."system_architecture"
                      else processor_family ("boot"."for_architecture") = "platform"."processor"
                    end,
                    true
                  )
                )
                or (
                  coalesce("boot"."kind" in ('OperatingSystem', 'PxeBootImage'), false)
                  and not "platform"."pxe_support"
                )
              )
            )
            and (
              offer.commands & 4 <> 0
              or d.installation_state is not distinct from 'Installed'
              or case
                when "offer"."conditions" is not null then unmet_condition ("offer"."conditions", "platform"."computer_id")
              end is null
            )
            and true
          )
          and true
          and not (
            ("member"."computer_id", "offer"."package_id") in (
              select
                computer_id,
                package_id
              from
                waiting_for_ring
            )
          )
      )
    select
      computer_id,
      package_id,
      kind,
      boot_image_id,
      sku_id,
      not_before,
      window_ends_at,
      place,
      required_by,
      group_id,
      commands,
      schedule,
      revoke_count,
      revoke_date,
      optional_date,
      user_deadline,
      pre_download,
      is_brought
    from
      candidate
    where
      kind is not null
  ) as due
where
  true
  and true
order by
  computer_id,
  place
on conflict (computer_id, package_id)
where
  "state" in ('Due', 'Leased')
  and package_id is not null do nothing;

insert into
  deployments (computer_id, package_id, pending_since)
select
  computer_id,
  package_id,
  now()
from
  (
    select
      *
    from
      (
        select
          *
        from
          work
        where
          task_id = $1
          and id > $2::bigint
      ) as created
    where
      not ("created"."commands" & 68 = 64)
  ) as created
where
  package_id is not null
order by
  computer_id,
  package_id
on conflict on constraint deployments_pkey do update
set
  pending_since = coalesce(deployments.pending_since, excluded.pending_since);

insert into
  distribution_events (computer_id, package_id, result, classification, install_mode, info, kb_number)
select
  computer_id,
  package_id,
  'Pending',
  'Activation',
  "kind",
  $1::text,
  null
from
  (
    select
      *
    from
      (
        select
          *
        from
          work
        where
          task_id = $2
          and id > $3::bigint
      ) as created
    where
      not ("created"."commands" & 68 = 64)
  ) as created
where
  package_id is not null
order by
  id;

with
  inserted as (
    insert into
      deployments (computer_id, package_id)
    select
      computer_id,
      package_id
    from
      (
        with
          member_groups as materialized (
            select
              membership.computer_id,
              array_agg(
                membership.group_id
                order by
                  membership.group_id
              ) as groups,
              array_agg(
                membership.group_id
                order by
                  membership.group_id
              ) filter (
                where
                  published.id is not null
              ) as published
            from
              (
                select
                  $1::integer as owner_id
              ) as scope
              join effective_memberships membership on membership.computer_id = scope.owner_id
              left join activations as published on published.computer_id = membership.computer_id
              and published.group_id = membership.group_id
              and published."software"
            group by
              membership.computer_id
          ),
          member as materialized (
            select
              computer_id,
              published,
              min(computer_id) over (
                partition by
                  groups,
                  published
              ) as owner_id
            from
              member_groups
            where
              published is not null
          ),
          platform as materialized (
            select
              computer_platforms.*
            from
              member
              join computer_platforms on computer_platforms.computer_id = member.computer_id
          ),
          reach as materialized (
            select distinct
              member.owner_id,
              above.ancestor_id
            from
              member
              cross join unnest(member.published) as own_group (id)
              join group_ancestors above on above.descendant_id = own_group.id
            where
              member.computer_id = member.owner_id
          ),
          offered as materialized (
            select
              effective.computer_id as owner_id,
              effective.package_id,
              effective.group_id,
              false as is_system,
              null::integer as boot_image_id,
              null::uuid as boot_package_id,
              null::integer as sku_id
            from
              (
                select
                  owner_id as computer_id,
                  package_id,
                  group_id,
                  group_path,
                  distance,
                  in_assignment_tree,
                  class_id
                from
                  (
                    select distinct
                      on (owner_id, package_id) owner_id,
                      package_id,
                      group_id,
                      group_path,
                      distance,
                      in_assignment_tree,
                      class_id
                    from
                      (
                        select
                          owner_id,
                          object_id as package_id,
                          group_id,
                          group_path,
                          distance,
                          in_assignment_tree,
                          null::integer as class_id
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
                                  computer_id as owner_id
                                from
                                  member
                                where
                                  computer_id = owner_id
                              ) as owner
                              join effective_memberships membership on membership.computer_id = owner.owner_id
                              join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                              join "group_packages" assignment on assignment.group_id = ancestry.ancestor_id
                              join groups ancestor on ancestor.id = ancestry.ancestor_id
                          ) as direct
                        union all
                        select
                          owner_id,
                          covered.package_id,
                          group_id,
                          group_path,
                          distance,
                          in_assignment_tree,
                          covered.class_id
                        from
                          (
                            select
                              owner.owner_id,
                              assignment."class_id" as object_id,
                              ancestor.id as group_id,
                              ancestor.path as group_path,
                              ancestry.distance,
                              ("ancestor"."tree" <> 'ConfigurationGroups') as in_assignment_tree,
                              "membership"."group_id" as member_group_id
                            from
                              (
                                select
                                  computer_id as owner_id
                                from
                                  member
                                where
                                  computer_id = owner_id
                              ) as owner
                              join effective_memberships membership on membership.computer_id = owner.owner_id
                              join group_ancestors ancestry on ancestry.descendant_id = "membership"."group_id"
                              join "group_software_classes" assignment on assignment.group_id = ancestry.ancestor_id
                              join groups ancestor on ancestor.id = ancestry.ancestor_id
                          ) as classes
                          join software_class_packages covered on covered.class_id = classes.object_id
                      ) as reached
                    order by
                      owner_id,
                      package_id,
                      "reached"."distance",
                      "reached"."in_assignment_tree",
                      "reached"."group_path" collate "C",
                      "reached"."group_id",
                      class_id nulls first
                  ) as of_computers
              ) as effective
              join packages p on p.id = effective.package_id
              and "p"."kind" = 'PatchFix'
              join reach on reach.owner_id = effective.computer_id
              and reach.ancestor_id = effective.group_id
          )
        select
          member.computer_id,
          offered.package_id
        from
          member
          join offered on offered.owner_id = member.owner_id
          join platform on platform.computer_id = member.computer_id
          join packages on packages.id = offered.package_id
        where
          not (
            (
              "packages"."for_systems" is not null
              and not coalesce("packages"."for_systems" && "platform"."system_names", true)
              or "packages"."for_image_systems" is not null
              and not coalesce("packages"."for_image_systems" && "platform"."system_names", true)
            )
            or not coalesce("packages"."for_server" = "platform"."is_server", true)
            or (
              "packages"."for_architecture" is not null
              and not coalesce(
                case
                  when "packages"."kind" = 'LanguagePack' then "packages"."for_architecture" = "platform"."system_architecture"
                  else processor_family ("packages"."for_architecture") = "platform"."processor"
                end,
                true
              )
            )
            or (
              coalesce("packages"."kind" in ('OperatingSystem', 'PxeBootImage'), false)
              and not "platform"."pxe_support"
            )
          )
      ) as fixes
    where
      true
    order by
      computer_id,
      package_id
    on conflict on constraint deployments_pkey do nothing
    returning
      computer_id,
      package_id
  )
insert into
  distribution_events (computer_id, package_id, result, classification, install_mode, info, kb_number)
select
  computer_id,
  package_id,
  'Pending',
  'Activation',
  null,
  $2::text,
  null
from
  inserted;

select
  analyze_grown_tables ($1::text[]);

delete from "tasks"
where
  "id" = $1
  and not exists (
    select
    from
      work
    where
      task_id = $2
  );

select
  group_id
from
  (
    select
      computers.id as computer_id,
      membership.group_id
    from
      computers
      left join lateral (
        select
          group_id
        from
          effective_memberships
        where
          computer_id = computers.id
        order by
          tree <> 'ConfigurationGroups',
          path collate "C",
          group_id
      ) as membership on true
    where
      computers.id = any ($1::integer[])
  ) as memberships
where
  group_id is not null
order by
  group_id;

select
  append_audit_entry ($1::integer, $2, $3, $4, $5::jsonb, $6::smallint, $7);

commit;
