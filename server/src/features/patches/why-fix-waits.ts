import { type RawBuilder, sql } from 'kysely'
import { isOpenWork } from '../work-states/work-states.ts'
import { missingPatches, releasedMissingPatches } from './missing-patches.ts'

/**
 * Why a fix package stays Pending on a computer, for people: it waits for a scan that finds something to install. Null
 * where one has. `computer` is a column of a query around.
 */
export function whyFixWaits(computer: string): RawBuilder<string | null> {
  const id = sql.ref(computer)
  const owner = sql`select ${id} as owner_id`
  return sql<string | null>`case
    when exists (select from agents where agents.computer_id = ${id} and agents.kind <> 'Muster')
      then 'The agent of this computer knows nothing of patches. Only the agent of Muster can do this.'
    when not exists (select from patch_scans scan where scan.computer_id = ${id})
      then 'Waits for the first patch scan of the computer.'
    when not exists (select from (${missingPatches}) as missing where missing.computer_id = ${id})
      then 'Waits for a missing patch: the last patch scan found none.'
    when not exists (${releasedMissingPatches(owner)})
      then 'Waits for an approval: no missing patch is released to the computer by its patch management groups.'
    when not exists (
      select from work join packages p on p.id = work.package_id and p.kind = 'PatchFix'
      where work.computer_id = ${id} and ${isOpenWork('work.state')})
      then 'Waits for the next patch scan: what is missing was released after the last one.'
    end`
}
