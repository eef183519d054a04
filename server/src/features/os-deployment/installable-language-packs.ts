import { type RawBuilder, sql } from 'kysely'
import { computerAsOwner, effectiveAssignments } from '../assignments/effective-assignments.ts'
import { isDistributable } from '../packages/distributable.ts'

/** The packages of the effective language packs of the computer that may be distributed. */
export function languagePacksOf(computerId: number): RawBuilder<{ id: string; name: string }> {
  return sql`
    select packages.id, packages.name, packages.manifest
    from (${effectiveAssignments('languagePack', 'computer', computerAsOwner(computerId))}) as effective
      join packages on packages.id = effective.object_id
    where ${isDistributable('packages')}`
}
