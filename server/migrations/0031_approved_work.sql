-- What a request may do after it was answered is what was counted and approved when it was made. The packages are those that
-- the computers of removal_computer_ids lose, at the same positions: a computer is listed once for each package. Null for
-- requests of earlier versions, which did not say which packages.
alter table rollouts
  add column removal_package_ids uuid[],
  -- What an approved rollout may give to its computers. Null: anything that is assigned.
  add column approved_content text[];

alter table sliced_activations
  add column removal_package_ids uuid[];

-- What the installation of an operating system was activated with: the boot image, and the edition if one was assigned. No
-- foreign keys: inserting work would lock both for each row, and ids are never used again.
alter table work
  add column boot_image_id integer,
  add column sku_id integer,
  add constraint work_boot_check check (kind = 'OperatingSystem' or boot_image_id is null and sku_id is null);

-- Installations that wait were activated with what is effective now: until this version, nothing else was carried out.
update work set
  boot_image_id = (
    select image.image_id
    from effective_memberships member
      join group_ancestors ancestry on ancestry.descendant_id = member.group_id
      join group_pxe_boot_images image on image.group_id = ancestry.ancestor_id
      join groups ancestor on ancestor.id = ancestry.ancestor_id
    where member.computer_id = work.computer_id
    order by ancestry.distance, ancestor.tree <> 'ConfigurationGroups', ancestor.path collate "C", ancestor.id limit 1),
  sku_id = (
    select edition.sku_id
    from effective_memberships member
      join group_ancestors ancestry on ancestry.descendant_id = member.group_id
      join group_os_image_skus edition on edition.group_id = ancestry.ancestor_id
      join groups ancestor on ancestor.id = ancestry.ancestor_id
    where member.computer_id = work.computer_id
    order by ancestry.distance, ancestor.tree <> 'ConfigurationGroups', ancestor.path collate "C", ancestor.id limit 1)
where kind = 'OperatingSystem' and state in ('Due', 'Leased');
