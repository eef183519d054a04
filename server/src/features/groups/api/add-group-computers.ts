import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup } from '../groups.ts'
import { bulkResult, type MembershipStatus, membersAmong } from '../membership.ts'
import { BulkGroupComputersRequest, BulkGroupComputersResult, GroupPath } from './schemas.ts'

export const addGroupComputers = operation({
  id: 'addGroupComputers',
  route: 'POST /api/group/:id/computers',
  summary: 'Add computers to a group',
  description: 'Each computer for itself: what fails for one does not stop the others. Read `results`.',
  role: 'group.write',
  params: GroupPath,
  body: BulkGroupComputersRequest,
  returns: ok(BulkGroupComputersResult),
  problems: [groupNotFound],
  async handle({ params, body, db }) {
    const group = await pinGroup(db, params.id)
    const clientIds = [...new Set(body.computerIds)]
    const refusal = refusalOf(group)
    if (refusal) return bulkResult(group.id, clientIds, () => refusal)
    const statuses = await add(db, group, clientIds)
    return bulkResult(group.id, clientIds, (clientId) => statuses.get(clientId) ?? 'NotFound')
  },
})

type Target = { id: string; kind: string; tree: string; is_exclusive: boolean }

function refusalOf({ kind, tree }: Target): MembershipStatus | undefined {
  if (!isComputerTree(tree)) return 'NotEditableTree'
  return isSpecial(kind) ? 'SpecialGroup' : undefined
}

async function add(db: Database, group: Target, clientIds: number[]): Promise<Map<number, MembershipStatus>> {
  // Locked, so that no computer is deleted before its membership stands; in the order of ids, so that two such requests
  // never wait for each other both ways. The indexes decide who may enter, also between requests at the same time.
  const { rows } = await sql<{ id: number; was_added: boolean }>`
    with known as (
      select id from computers where id = any(${clientIds}::integer[]) order by id for key share
    ), added as (
      insert into group_computers (group_id, computer_id, is_exclusive)
      select ${group.id}, id, ${group.is_exclusive} from known order by id
      on conflict do nothing
      returning computer_id
    )
    select known.id, added.computer_id is not null as was_added
    from known left join added on added.computer_id = known.id`.execute(db)
  const others = rows.filter(({ was_added }) => !was_added).map(({ id }) => id)
  const members = group.is_exclusive ? await membersAmong(db, group.id, others) : new Set(others)
  const reason = (id: number) => (members.has(id) ? 'AlreadyMember' : 'AlreadyInConfigurationGroup')
  return new Map(rows.map(({ id, was_added }) => [id, was_added ? 'Added' : reason(id)]))
}
