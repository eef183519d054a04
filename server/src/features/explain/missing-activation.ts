import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { dueWork, type WorkBit } from '../deployments/activation/due-work.ts'
import { loadReachableOptions } from '../deployments/activation/reachable-options.ts'
import { fixWaitReason } from '../patches/fix-wait-reason.ts'
import type { ExplainedBlocker } from './api/schemas.ts'
import { newBlocker } from './explained-blockers.ts'
import type { SubjectPackage } from './package-state.ts'

type Missing = { verdict: 'NotActivated' | 'Waiting'; blocker: ExplainedBlocker } | { verdict: 'NothingToDo' }

/** Why an assigned package has no work item on the computer, though it is not installed. */
export async function findMissingActivation(
  db: Database,
  computerId: number,
  { id, kind, is_pre_os }: SubjectPackage,
  groupId: string,
): Promise<Missing> {
  const bit: WorkBit = is_pre_os || kind === 'OperatingSystem' ? 'pxe' : 'software'
  if (!(await isActivated(db, computerId, groupId, bit)))
    return {
      verdict: 'NotActivated',
      blocker: newBlocker('NotActivated', 'The computer is not activated for the group that assigns it.'),
    }
  if (kind === 'PatchFix') {
    const reason = await findFixWaitReason(db, computerId)
    return reason === null
      ? { verdict: 'NothingToDo' }
      : { verdict: 'Waiting', blocker: newBlocker('NoFixWork', reason) }
  }
  if (!(await isDueAtActivation(db, computerId, id, bit))) return { verdict: 'NothingToDo' }
  return {
    verdict: 'NotActivated',
    blocker: newBlocker(
      'NotActivated',
      'It became due after the last activation. The next activation creates its work.',
    ),
  }
}

async function isActivated(db: Database, computerId: number, groupId: string, bit: WorkBit): Promise<boolean> {
  const { rows } = await sql`
    select from activations
    where computer_id = ${computerId} and ${sql.ref(bit)}
      and group_id in (select descendant_id from group_ancestors where ancestor_id = ${groupId})
    limit 1`.execute(db)
  return rows.length > 0
}

async function isDueAtActivation(db: Database, computerId: number, packageId: string, bit: WorkBit): Promise<boolean> {
  const computer = sql<{ owner_id: number }>`select ${computerId}::integer as owner_id`
  const options = await loadReachableOptions(db, computer, new Date())
  const { rows } = await sql`
    select from (${dueWork(bit, computer, options, undefined, 'any')}) as due where due.package_id = ${packageId} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export async function findFixWaitReason(db: Database, computerId: number): Promise<string | null> {
  const { rows } = await sql<{ reason: string | null }>`
    select ${fixWaitReason('computer.id')} as reason from (select ${computerId}::integer as id) as computer`.execute(db)
  return rows[0]?.reason ?? null
}
