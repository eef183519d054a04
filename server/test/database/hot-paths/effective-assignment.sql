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
  "packages"."id",
  "packages"."name",
  "packages"."version",
  "packages"."description",
  "packages"."is_operational" as "operational",
  coalesce(packages.manifest -> 'settings', '{}') as "settings",
  "effective"."group_id" as "assignedGroupId",
  "effective"."group_path" as "assignedGroupPath"
from
  "packages"
  inner join (
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
              $1::integer as owner_id
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
  ) as "effective" on "effective"."object_id" = "packages"."id"
where
  "packages"."kind" = $2;
