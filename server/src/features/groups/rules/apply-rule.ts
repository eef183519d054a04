import type { Database } from '../../../database/connect.ts'
import { insertMembers } from '../insert-members.ts'
import { removeMembers } from '../remove-members.ts'
import { computersWith, type EvaluatedMember } from './evaluate-rules.ts'

/**
 * Changes the members of a group as its rule says, in the way in which people do it, and with the same consequences. The
 * caller has pinned the group and the computers. Returns who has joined and left: somebody may have been faster.
 */
export async function applyRule(
  db: Database,
  group: { id: string; name: string; is_exclusive: boolean },
  members: readonly EvaluatedMember[],
): Promise<{ joined: number[]; left: number[] }> {
  const leaving = computersWith('Leave', members)
  const joining = computersWith('Join', members)
  const left = leaving.length > 0 ? [...(await removeMembers(db, group, leaving, 'Rule'))] : []
  const statuses = joining.length > 0 ? await insertMembers(db, group, joining, 'Rule') : new Map()
  return { left, joined: joining.filter((id) => statuses.get(id) === 'Added') }
}
