import { type RawBuilder, sql } from 'kysely'

/**
 * What the relations of the package of the work item `w` have against it now. If no package of the installation has such relations,
 * nothing is looked up.
 */

const isToInstall = sql<boolean>`w.kind = any('{Install,Update,Reinstall}')`

/**
 * Names of packages that conflict with it, and are on the computer or come to it first; null if there are none. For a trial, those
 * that it would take away again are among them.
 */
export const conflictingPackages: RawBuilder<string[] | null> = sql`
  case when w.kind = 'Trial' then packages_in_way_of_trial(w.computer_id, w.package_id, w.id)
    when exists (select from package_conflicts) and ${isToInstall}
    then conflicting_packages(w.computer_id, w.package_id, w.id) end`

/** Names of the packages on the computer that are uninstalled first; null if there are none. */
export const supersededPackages: RawBuilder<string[] | null> = sql`
  case when exists (select from package_supersedes) and ${isToInstall}
    then superseded_packages(w.computer_id, w.package_id) end`

/** For the removal of a package that another one supersedes: names of those that come for it and may not be distributed now. */
export const unreadyReplacements: RawBuilder<string[] | null> = sql`
  case when w.is_brought and w.kind = 'Uninstall' then unready_replacements(w.computer_id, w.package_id) end`
