import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { waveScope } from '../rollouts/rollout-scope.ts'
import { isMissing } from './compare-members.ts'
import { comparisonInterval, maxComparisonDelay } from './settings.ts'
import { listOpenWaves } from './start-waves.ts'

export type PendingComparison = {
  groupPath: string
  /** What it waits for. `Tried`: it was tried since its last change, so no comparison brings it again. */
  state: 'Comparing' | 'WaveNeedsPerson' | 'Refused' | 'Tried'
  /** When it has been compared, unless the installation is frozen; null if a person has to do something. */
  until: Date | null
  problemCode: string | null
}

type Owner = { groupId: string; groupPath: string; problemCode: string | null; until: Date }

/**
 * Finds out when convergence brings a package to a computer that has no work with it. `assigningGroupId` is the group whose assignment
 * takes effect. Undefined if the computer does not reach that through a converged group.
 */
export async function findPendingComparison(
  db: Database,
  computerId: number,
  { packageId, assigningGroupId }: { packageId: string; assigningGroupId: string },
): Promise<PendingComparison | undefined> {
  const owner = await findOwner(db, computerId, assigningGroupId)
  if (!owner) return undefined
  const { groupId, groupPath, problemCode, until } = owner
  if (!(await isMissing(db, groupId, waveScope(groupId, [computerId]), packageId)))
    return { groupPath, state: 'Tried', until: null, problemCode: null }
  const waves = await listOpenWaves(db, groupId)
  if (waves.some(({ isWaiting }) => isWaiting))
    return { groupPath, state: 'WaveNeedsPerson', until: null, problemCode: null }
  if (problemCode !== null) return { groupPath, state: 'Refused', until: null, problemCode }
  return { groupPath, state: 'Comparing', until, problemCode: null }
}

/** The nearest group with the setting through which the computer reaches the assignment, and when it will be compared. */
async function findOwner(db: Database, computerId: number, assigningGroupId: string): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    select owner.group_id as "groupId", groups.path as "groupPath", owner.problem_code as "problemCode",
      case when owner.marked_at is null and owner.compared_at is not null and not exists (
          select from convergence_computers listed where listed.group_id = owner.group_id and listed.computer_id = ${computerId})
        and not exists (
          select from convergence_marks mark where mark.computer_id = ${computerId} or mark.group_id in (
            select ancestor_id from group_ancestors where descendant_id = member.group_id))
        then owner.compared_at + ${comparisonInterval} else now() + ${maxComparisonDelay} end as until
    from effective_memberships member
      join group_ancestors above on above.descendant_id = member.group_id and above.ancestor_id = ${assigningGroupId}
      join converged_groups converged on converged.group_id = member.group_id
      join group_convergence owner on owner.group_id = converged.owner_id
      join groups on groups.id = owner.group_id
    where member.computer_id = ${computerId}
    order by until, groups.path limit 1`.execute(db)
  return rows[0]
}
