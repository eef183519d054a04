-- Within how many days of its release a patch of each severity has to be installed; null: no SLA.
alter table installation
  add column sla_critical_days integer default 7,
  add column sla_important_days integer default 14,
  add column sla_moderate_days integer default 30,
  add column sla_low_days integer default 90,
  add column sla_unrated_days integer,
  add constraint installation_sla_days_check check (
    least(sla_critical_days, sla_important_days, sla_moderate_days, sla_low_days, sla_unrated_days) >= 1
    and greatest(sla_critical_days, sla_important_days, sla_moderate_days, sla_low_days, sla_unrated_days) <= 3650);

-- The patches that the computers of a group and of the groups below it lack, as of the last count of the fleet. Groups without
-- computers have no row. Rows of deleted groups disappear with the next count.
create table group_patch_compliance (
  group_id uuid not null,
  computer_count integer not null,
  scanned integer not null,
  -- Of the scanned ones, those that lack no security patch.
  compliant integer not null,
  -- Computers by the severity of their most severe missing patch.
  missing jsonb not null,
  -- By severity and then by the time since the release, each also with 'All': how many computers lack such patches, how many lack
  -- one beyond its SLA, how often such patches are missing, and how often beyond their SLA.
  cells jsonb not null,
  constraint group_patch_compliance_pkey primary key (group_id)
);

-- Scanned computers within and beyond the SLA, and how often patches are missing beyond it; null before the first count.
alter table fleet_statistics add column patch_sla jsonb;

-- The first version without the vulnerability, as versions of its package sort. It finds the patches that bring it.
alter table vulnerable_components add column fixed_key text collate "C";

update vulnerable_components found set fixed_key = (
  select max(range.fixed_key)
  from installed_components component
    join vulnerable_ranges range on range.component = component.component
  where component.id = found.component_id and range.vulnerability_id = found.vulnerability_id
    and range.source_id = found.source_id and range.fixed_version = found.fixed_version)
where fixed_version is not null;
