import { type RawBuilder, sql } from 'kysely'

/**
 * The packages on the computer that are uninstalled before that of the work item `w` is installed; null if there are none. If no
 * package asks for that, nothing is looked up.
 */
export const supersededPackages: RawBuilder<string[] | null> = sql`
  case when exists (select from package_supersedes) and w.kind in ('Install', 'Update', 'Reinstall') then (
    select array_agg(distinct q.package_name)
    from package_supersedes superseded
      join packages q on lower(q.package_name) = lower(superseded.superseded_name)
      join deployments d on d.package_id = q.id and d.computer_id = w.computer_id and d.installation_state = 'Installed'
    where superseded.package_id = w.package_id and superseded.uninstalls_first)
  end`
