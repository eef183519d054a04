import { type RawBuilder, sql } from 'kysely'
import { isOptionalSql } from '../distribution/commands.ts'
import { isDistributable } from '../packages/distributable.ts'
import { isOpenWork } from '../work-states/work-states.ts'

/**
 * Whether the content of a work item is downloaded before its time, given the aliases of the item and its package. What the
 * agent could not use when the window opens is left out: offers that nobody has requested, packages that are not released,
 * fix packages, whose patches are chosen when they start, and what runs before the operating system.
 */
export function isPreDownloaded(work: string, packages: string): RawBuilder<boolean> {
  const [item, content] = [
    (name: string) => sql.ref(`${work}.${name}`),
    (name: string) => sql.ref(`${packages}.${name}`),
  ]
  return sql<boolean>`(${isOpenWork(`${work}.state`)} and ${item('pre_download')}
    and ${item('kind')} not in ('Uninstall', 'OperatingSystem') and not ${isOptionalSql(`${work}.commands`)}
    and isfinite(${item('not_before')})
    and ${isDistributable(packages)} and ${content('kind')} <> 'PatchFix' and not ${content('is_pre_os')})`
}
