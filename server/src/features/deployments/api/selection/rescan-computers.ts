import { sql } from 'kysely'
import { analyzeGrownTables } from '../../../../database/after-bulk-write.ts'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { lockComputers } from '../../../computers/computers.ts'
import { listedComputers } from '../../../groups/affected-computers.ts'
import { isOpenWork } from '../../../work-states/work-states.ts'
import { deleteTaskIfEmpty, insertTask } from '../../tasks.ts'
import { SelectionRescan, SelectionRescanRequest } from './schemas.ts'

export const rescanComputers = operation({
  id: 'rescanComputers',
  route: 'POST /api/fleet/computers/rescan',
  summary: 'Request the complete inventory of selected computers',
  description:
    'The agents reload their settings and send their complete inventory at the next contact, as one task. Unlike ' +
    'rescanComputer, this needs no scan package. A computer has one such request at a time.',
  role: 'scan.execute',
  execution: { kind: 'LongChange' },
  extension: true,
  massAction: { computers: ({ body }) => listedComputers(body.computerIds) },
  body: SelectionRescanRequest,
  returns: ok(SelectionRescan),
  async handle({ body: { computerIds }, db, caller }) {
    const found = await lockComputers(db, computerIds)
    const taskId = await insertTask(db, { kind: 'Rescan', createdBy: caller.principal })
    const requested = await insertRefreshes(db, found, taskId)
    const isEmpty = await deleteTaskIfEmpty(db, taskId)
    await analyzeGrownTables(db, ['tasks', 'work'])
    return {
      requested,
      alreadyRequested: found.length - requested,
      notFound: new Set(computerIds).size - found.length,
      trackingId: isEmpty ? null : taskId,
    }
  },
})

async function insertRefreshes(db: Database, computerIds: readonly number[], taskId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into work (computer_id, task_id, kind)
    select id, ${taskId}::uuid, 'Refresh' from unnest(${computerIds}::integer[]) as listed (id) order by id
    on conflict (computer_id, kind) where ${isOpenWork('state')} and package_id is null do nothing`.execute(db)
  return Number(numAffectedRows)
}
