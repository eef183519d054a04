import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { computerNotFound } from '../computers.ts'
import { deleteLockedComputers, lockForDeletion } from '../deletion.ts'
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
    const [computer] = await lockForDeletion(db, [id])
    if (!computer) throw computerNotFound({ clientId: id })
    if (computer.role === 'MasterServer') throw masterServerNotDeletable({ clientId: id })
    if (!query.force && (await isInGroups(db, id))) throw computerInGroups({ clientId: id })
    await deleteLockedComputers(db, [id])
  },
})

/** As a member, or as a depot in the list of a group. */
async function isInGroups(db: Database, computerId: number): Promise<boolean> {
  const { rows } = await sql`
    (select from group_computers where computer_id = ${computerId} limit 1)
    union all (select from group_depot_servers where computer_id = ${computerId} limit 1)`.execute(db)
  return rows.length > 0
}
