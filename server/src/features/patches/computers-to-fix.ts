import { type RawBuilder, sql } from 'kysely'
import { patchesToRollBack } from './policies/rollbacks.ts'
import { releasedMissingPatches } from './released-patches.ts'

/**
 * The computers for which a fix package has something to do: they lack a patch that is released to them, or have one that they
 * roll back. `computers` may refer to columns of the surrounding query.
 */
export function computersToFix(computers: RawBuilder<{ owner_id: number }>): RawBuilder<{ computer_id: number }> {
  return sql<{ computer_id: number }>`
    select released.computer_id from (${releasedMissingPatches(computers)}) as released
    union
    select stopped.computer_id from (${patchesToRollBack(computers)}) as stopped`
}
