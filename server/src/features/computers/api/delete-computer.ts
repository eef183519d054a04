import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { computerNotFound } from '../computers.ts'
import { getComputer } from './get-computer.ts'
import { computerInGroups, masterServerNotDeletable } from './problems.ts'
import { ComputerPath } from './schemas.ts'

export const deleteComputer = operation({
  id: 'deleteComputer',
  route: 'DELETE /api/computer/:id',
  summary: 'Delete a computer',
  description:
    'Deletes everything that belongs to the computer: its variable values, group memberships, inventory, work items, distribution history and credentials. Answers 409 for the master server, and for a member of a group and a depot that is in the list of a group unless `force` is true.',
  role: 'computer.write',
  destructive: true,
  params: ComputerPath,
  query: closed({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description:
          'Must be true to delete a computer that is a member of a group, or a depot that is in the list of a group.',
      }),
    ),
  }),
  returns: noContent,
  problems: [computerNotFound, masterServerNotDeletable, computerInGroups],
  changes: getComputer,
  async handle({ params: { id }, query, db }) {
    // The groups of its reinstalls are deleted with it, and a deletion of a group above them does the same.
    await sql`select lock_group_trees_shared()`.execute(db)
    await sql`select from fusion_devices where computer_id = ${id} order by id for update`.execute(db)
    // Everybody who locks a row that belongs to the computer has pinned the computer before, so the deletion waits
    // here and not in the middle of its cascade. The lock also blocks new memberships, which refer to the row.
    const computer = await db.selectFrom('computers').select('role').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!computer) throw computerNotFound({ clientId: id })
    if (computer.role === 'MasterServer') throw masterServerNotDeletable({ clientId: id })
    const groups = await db
      .selectFrom('groups')
      .innerJoin('group_computers', 'group_computers.group_id', 'groups.id')
      .select(['groups.id', 'groups.kind'])
      .where('group_computers.computer_id', '=', id)
      .execute()
    if (!query.force && (groups.length > 0 || (await isListedDepot(db, id)))) throw computerInGroups({ clientId: id })
    await db.deleteFrom('computers').where('id', '=', id).execute()
    await deleteEmptyGroups(
      db,
      groups.filter(({ kind }) => kind === 'Reinstall').map((group) => group.id),
    )
  },
})

async function isListedDepot(db: Database, computerId: number): Promise<boolean> {
  const { rows } = await sql`select from group_depot_servers where computer_id = ${computerId} limit 1`.execute(db)
  return rows.length > 0
}

/** The locks serialise computers that leave the same group at the same time. Without them, neither might find it empty. */
async function deleteEmptyGroups(db: Database, groupIds: string[]): Promise<void> {
  if (groupIds.length === 0) return
  await db.selectFrom('groups').select('id').where('id', 'in', groupIds).orderBy('id').forUpdate().execute()
  await sql`
    delete from groups where id = any(${groupIds}::uuid[])
      and not exists (select from group_computers where group_id = groups.id)`.execute(db)
}
