-- How urgently a computer needs patches, recorded whenever the fleet is counted: people filter and count computers by it.
alter table computer_summaries
  add column patch_age text not null default 'NotScanned',
  add column missing_severity text not null default 'None',
  add constraint computer_summaries_patch_age_check
    check (patch_age in ('NotScanned', 'NoneMissing', 'UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown')),
  add constraint computer_summaries_missing_severity_check
    check (missing_severity in ('Critical', 'Important', 'Moderate', 'Low', 'Unknown', 'None'));

-- The stored counts lack the new ones. The fleet is counted again seconds after the start.
delete from fleet_statistics;

-- When the backup command last succeeded.
create table last_backup (
  id boolean not null default true,
  finished_at timestamptz not null,
  constraint last_backup_pkey primary key (id),
  constraint last_backup_id_check check (id)
);
