import { type RawBuilder, sql } from 'kysely'
import { isOpenWork } from '../work-states/work-states.ts'
import { hasOnlyPreviousScan, missingPatches } from './missing-patches.ts'
import { patchesToRollBack } from './policies/rollbacks.ts'
import { releasedMissingPatches } from './released-patches.ts'

/**
 * Why a fix package stays Pending on a computer, as a sentence for people. Null if a scan has made the package due.
 * `computerId` is a column of the surrounding query.
 */
export function fixWaitReason(computerId: string): RawBuilder<string | null> {
  const id = sql.ref(computerId)
  const computer = sql<{ owner_id: number }>`select ${id} as owner_id`
  const hasFixWork = sql<boolean>`exists (
      select from work join packages fix on fix.id = work.package_id and fix.kind = 'PatchFix'
      where work.computer_id = ${id} and ${isOpenWork('work.state')})`
  return sql<string | null>`case
    when exists (select from agents where agents.computer_id = ${id} and agents.kind <> 'Muster')
      then 'The agent of this computer does not support patches. Only the Muster agent does.'
    when not exists (select from patch_scans scan where scan.computer_id = ${id})
      then 'Waiting for the first patch scan of the computer.'
    when ${hasOnlyPreviousScan(computerId)}
      then 'Waiting for the first patch scan of the new operating system.'
    when exists (${patchesToRollBack(computer)})
      then case when not ${hasFixWork} then 'Waiting for the next patch scan: a patch is to be rolled back.' end
    when not exists (select from (${missingPatches}) as missing where missing.computer_id = ${id})
      then 'Waiting for a missing patch: the last patch scan found none.'
    when not exists (${releasedMissingPatches(computer)})
      then 'Waiting for an approval: the patch management groups and patch policies of the computer release none of its missing patches.'
    when not ${hasFixWork}
      then 'Waiting for the next patch scan: the missing patches were released after the last one.'
    end`
}
