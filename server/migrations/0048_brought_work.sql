-- Whether the package of a work item is not assigned itself: an assigned package brings it, because it requires or supersedes it. What
-- is assigned itself ends with its assignment, even if another package could bring it.
alter table work add column is_brought boolean not null default false;

-- Until now, either was a reason for any work.
update work set is_brought = true
where state in ('Due', 'Leased') and package_id in (select pulled_id from package_pulls);

-- The packages of all assignments of groups: of the package itself, of a class that contains it, of a part of it, or of a package
-- that brings it. A group may have a package for several of these reasons.
-- single_kind is the kind of the package if a computer can have only one package of that kind.
create or replace view assigned_packages as
  select group_id, package_id, null::text as single_kind, false as is_brought from group_packages
  union all
  select group_id, package_id, null, false from group_language_packs
  union all
  select assignment.group_id, member.package_id, null, false
  from group_software_classes assignment join software_class_packages member on member.class_id = assignment.class_id
  union all
  select group_id, package_id, 'AgentTemplate', false from group_agent_templates
  union all
  select assignment.group_id, sku.package_id, 'OperatingSystem', false
  from group_os_image_skus assignment join os_image_skus sku on sku.id = assignment.sku_id
  union all
  select assignment.group_id, image.package_id, 'PxeBootImage', false
  from group_pxe_boot_images assignment join pxe_boot_images image on image.id = assignment.image_id
  union all
  select assignment.group_id, pull.pulled_id, null, true
  from package_pulls pull join group_packages assignment on assignment.package_id = pull.package_id
  union all
  select assignment.group_id, pull.pulled_id, null, true
  from package_pulls pull
    join software_class_packages member on member.package_id = pull.package_id
    join group_software_classes assignment on assignment.class_id = member.class_id;
