-- For work that uninstalls a package because another one supersedes it: the names of those that come for it, if none of them may be
-- distributed now; empty if none comes to the computer any more, null if one may be installed after the removal. A function, because
-- hardly any work item is of this kind (0044_package_relations.sql). The function unmet_requirement is a repeatable migration.
create function unready_replacements(of_computer integer, of_package uuid) returns text[] language plpgsql stable as $$
begin
  return (
    select case when not coalesce(bool_or(is_released), false) then coalesce(array_agg(distinct package_name), '{}') end
    from (
      select q.package_name, q.is_operational and q.hash_state = 'Current' as is_released
      from packages superseded
        join package_supersedes superseding
          on lower(superseding.superseded_name) = lower(superseded.package_name) and superseding.uninstalls_first
        join packages q on q.id = superseding.package_id
        join work o on o.package_id = q.id and o.computer_id = of_computer and o.state in ('Due', 'Leased')
          and o.kind in ('Install', 'Update', 'Reinstall')
      where superseded.id = of_package and (
        o.kind = 'Reinstall'
        or unmet_condition_of_work(of_computer, q.id) is null and unmet_requirement(of_computer, q.id) is null)
    ) as replacement);
end $$;

-- The packages of which a computer must have none when a package is tried on it, because the trial would replace and then remove them:
-- its versions, and what it supersedes.
create function trial_versions(of_package uuid) returns table (id uuid) language sql stable as $$
  select version.id
  from packages tried join packages version on version.line_key = tried.line_key or version.id = tried.id
  where tried.id = of_package
  union
  select earlier.id
  from package_supersedes superseded join packages earlier on lower(earlier.package_name) = lower(superseded.superseded_name)
  where superseded.package_id = of_package
$$;

-- What a trial waits for: packages that conflict with the one that is tried or that the trial would remove, and that are on the
-- computer or come to it first. Null if there are none.
create function packages_in_way_of_trial(of_computer integer, of_package uuid, of_work bigint) returns text[]
language plpgsql stable as $$
begin
  return (
    select array_agg(distinct q.package_name)
    from (select id from trial_versions(of_package) union select id from conflicts_of(of_package)) as related
      join packages q on q.id = related.id
    where exists (
        select from deployments d
        where d.computer_id = of_computer and d.package_id = q.id and d.installation_state = 'Installed')
      or exists (
        select from work o
        where o.computer_id = of_computer and o.package_id = q.id and o.state in ('Due', 'Leased') and o.id <> of_work
          and o.kind in ('Install', 'Update', 'Reinstall') and (o.commands & 64 = 0 or o.attempt > 0)
          and (o.state = 'Leased' or o.id < of_work)));
end $$;

-- Until 0048, nothing recorded whether a package was brought. If it is assigned itself, that is reason enough for its removal.
update work set is_brought = false
where is_brought and kind = 'Uninstall' and state in ('Due', 'Leased') and (
  rolled_back_package_id is not null or exists (
    select from effective_memberships own
      join group_ancestors above on above.descendant_id = own.group_id
      join assigned_packages assigned on assigned.group_id = above.ancestor_id
    where own.computer_id = work.computer_id and assigned.package_id = work.package_id and not assigned.is_brought));
