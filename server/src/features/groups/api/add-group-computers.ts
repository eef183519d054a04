import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { listedComputers } from '../affected-computers.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup } from '../groups.ts'
import { buildBulkResult, type MembershipStatus, membersAmong } from '../membership.ts'
import { BulkGroupComputersRequest, BulkGroupComputersResult, GroupPath } from './schemas.ts'

export const addGroupComputers = operation({
  id: 'addGroupComputers',
  route: 'POST /api/group/:id/computers',
  summary: 'Add computers to a group',
  description:
    'Each computer is handled on its own: a failure for one does not stop the others, and the request still answers 200. Check `results`. A computer is in at most one configuration group; one that is already in another is not moved.',
  role: 'group.write',
  massAction: { computers: ({ body }) => listedComputers(body.computerIds) },
  params: GroupPath,
  body: BulkGroupComputersRequest,
  returns: ok(BulkGroupComputersResult),
  problems: [groupNotFound],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    const clientIds = [...new Set(body.computerIds)]
    const refusal = findRefusal(group)
    if (refusal) return buildBulkResult(group.id, clientIds, () => refusal)
    const statuses = await insertMembers(db, group, clientIds)
    return buildBulkResult(group.id, clientIds, (clientId) => statuses.get(clientId) ?? 'NotFound')
  },
})

type Target = { id: string; kind: string; tree: string; is_exclusive: boolean }

function findRefusal({ kind, tree }: Target): MembershipStatus | undefined {
  if (!isComputerTree(tree)) return 'NotEditableTree'
  return isSpecial(kind) ? 'SpecialGroup' : undefined
}

async function insertMembers(db: Database, group: Target, clientIds: number[]): Promise<Map<number, MembershipStatus>> {
  // The key share lock keeps the computers from being deleted before the insert; taking it in the order of ids avoids
  // deadlocks between such requests. Unique indexes decide which computers may become members, even under concurrency.
  const { rows } = await sql<{ id: number; was_added: boolean }>`
    with existing as (
      select id from computers where id = any(${clientIds}::integer[]) order by id for key share
    ), added as (
      insert into group_computers (group_id, computer_id, is_exclusive)
      select ${group.id}, id, ${group.is_exclusive} from existing order by id
      on conflict do nothing
      returning computer_id
    )
    select existing.id, added.computer_id is not null as was_added
    from existing left join added on added.computer_id = existing.id`.execute(db)
  const notAdded = rows.filter(({ was_added }) => !was_added).map(({ id }) => id)
  const members = group.is_exclusive ? await membersAmong(db, group.id, notAdded) : new Set(notAdded)
  const reason = (id: number) => (members.has(id) ? 'AlreadyMember' : 'AlreadyInConfigurationGroup')
  return new Map(rows.map(({ id, was_added }) => [id, was_added ? 'Added' : reason(id)]))
}
