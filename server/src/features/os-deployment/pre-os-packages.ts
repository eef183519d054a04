import { type RawBuilder, sql } from 'kysely'
import { isDistributable } from '../packages/distributable.ts'
import { isOpenWork } from '../work-states/work-states.ts'

/** The packages that a computer is to run before its operating system, of those that may be distributed. */
export function preOsPackagesOf(computerId: number): RawBuilder<{ id: string }> {
  return sql`
    select packages.id, packages.name, packages.version, packages.manifest, work.id as work_id
    from work join packages on packages.id = work.package_id
    where work.computer_id = ${computerId} and ${isOpenWork('work.state')} and packages.is_pre_os
      and ${isDistributable('packages')}`
}
