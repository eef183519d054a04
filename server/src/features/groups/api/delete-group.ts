import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { deleteNeedlessWakeUps, withdrawUnjustifiedWork } from '../../work-states/withdraw-work.ts'
import { isOpenWork, workLockOrder } from '../../work-states/work-states.ts'
import { affectsGroup } from '../affected-computers.ts'
import { groupNotFound, isComputerTree, isSpecial, lockGroupTrees, requireGroup, specialGroup } from '../groups.ts'
import { getGroup } from './get-group.ts'
import { notDeletableTree, notEmpty, systemGroup } from './problems.ts'
import { GroupPath } from './schemas.ts'

export const deleteGroup = operation({
  id: 'deleteGroup',
  route: 'DELETE /api/group/:id',
  summary: 'Delete a group and its subtree',
  description:
    'Deletes the group, all groups below it, and their memberships, assignments and variable values. Computers are not deleted. Open work that no other group justifies is cancelled. Answers 409 if a group of the subtree has members, unless `force` is true.',
  role: 'group.write',
  execution: { kind: 'LongChange' },
  massAction: {
    ...affectsGroup,
    async lock(db, { params }) {
      await lockGroupTrees(db)
      await lockSubtree(db, params.id)
    },
  },
  destructive: true,
  params: GroupPath,
  query: closed({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Must be true if the group or a group below it has computers as members.',
      }),
    ),
  }),
  returns: noContent,
  problems: [groupNotFound, systemGroup, notDeletableTree, specialGroup, notEmpty],
  changes: getGroup,
  async handle({ params: { id: groupId }, query, db }) {
    await lockGroupTrees(db)
    const group = await requireGroup(db, groupId)
    if (group.kind === 'System') throw systemGroup({ groupId })
    if (!isComputerTree(group.tree)) throw notDeletableTree({ groupId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId })
    await lockSubtree(db, groupId)
    const memberIds = await listMemberIds(db, groupId)
    if (!query.force && memberIds.length > 0) throw notEmpty({ groupId })
    await lockDependents(db, groupId)
    // One statement for the whole subtree: a cascade from parent to child would nest as deep as the tree.
    await db.deleteFrom('groups').where('id', 'in', subtree(db, groupId)).execute()
    const computers = sql<{ computer_id: number }>`select unnest(${memberIds}::integer[]) as computer_id`
    await withdrawUnjustifiedWork(db, { computers }, { reason: 'GroupDeleted', subject: group.name })
    await deleteNeedlessWakeUps(db, { computers })
  },
})

/**
 * Locks what the deletion changes by cascade, and the work that it may withdraw, in the lock order: the cascade itself
 * follows no order of rows. Reports of agents end reinstalls and lock their work before their groups, and so does this.
 */
async function lockDependents(db: Database, groupId: string): Promise<void> {
  const groups = sql`select descendant_id from group_ancestors where ancestor_id = ${groupId}`
  const members = sql`select computer_id from group_computers where group_id in (${groups})`
  const tokens = sql`select id from enrolment_tokens where group_id in (${groups})`
  await sql`select from group_rules where group_id in (${groups}) order by group_id for update`.execute(db)
  await sql`
    select from fusion_devices where enrolment_token_id in (${tokens}) order by id for update`.execute(db)
  await sql`
    select from computers where id in (${members}) order by id for key share`.execute(db)
  await sql`
    select from group_computers
    where group_id in (${groups}) and group_id in (select id from permanent_groups)
    order by computer_id, group_id for update`.execute(db)
  await sql`
    select from agents where enrolment_token_id in (${tokens}) order by computer_id for no key update`.execute(db)
  await sql`
    select from quarantined_agents where enrolment_token_id in (${tokens}) order by id for no key update`.execute(db)
  await sql`
    select from activations where computer_id in (${members}) order by computer_id, group_id for update`.execute(db)
  await sql`
    select from tasks
    where group_id in (${groups})
      or id in (select task_id from work where computer_id in (${members}) and ${isOpenWork('state')})
    order by id for no key update`.execute(db)
  await sql`
    select from work
    where group_id in (${groups}) or reinstall_group_id in (${groups})
      or computer_id in (${members}) and ${isOpenWork('state')}
    order by ${workLockOrder('work')} for update`.execute(db)
  await sql`
    select from deployments
    where computer_id in (${members}) and (pending_since is not null or status = 'Failed')
    order by computer_id, package_id for update`.execute(db)
  await sql`
    select from reinstall_groups where group_id in (${groups}) order by group_id for update`.execute(db)
}

/**
 * Waits for transactions that are adding members and blocks new ones. Only a later statement sees the computers that
 * were added meanwhile.
 */
async function lockSubtree(db: Database, groupId: string): Promise<void> {
  await db
    .selectFrom('groups')
    .select('id')
    .where('id', 'in', subtree(db, groupId))
    .where('id', 'in', db.selectFrom('permanent_groups').select('id'))
    .orderBy('id')
    .forUpdate()
    .execute()
}

async function listMemberIds(db: Database, groupId: string): Promise<number[]> {
  const members = await db
    .selectFrom('group_computers')
    .select('computer_id')
    .distinct()
    .where('group_id', 'in', subtree(db, groupId))
    .execute()
  return members.map(({ computer_id }) => computer_id)
}

function subtree(db: Database, groupId: string) {
  return db.selectFrom('group_ancestors').select('descendant_id').where('ancestor_id', '=', groupId)
}
