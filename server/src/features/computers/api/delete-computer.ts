import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { computerNotFound } from '../computers.ts'
import { getComputer } from './get-computer.ts'
import { assigned, masterServer } from './problems.ts'
import { ComputerPath } from './schemas.ts'

export const deleteComputer = operation({
  id: 'deleteComputer',
  route: 'DELETE /api/computer/:id',
  summary: 'Delete a computer with its own variables, memberships and pending reinstalls',
  role: 'computer.write',
  params: ComputerPath,
  query: closed({
    force: Type.Optional(
      Type.Boolean({ default: false, examples: [false], description: 'Must be true to delete a member of a group.' }),
    ),
  }),
  returns: noContent,
  problems: [computerNotFound, masterServer, assigned],
  changes: getComputer,
  async handle({ params: { id }, query, db }) {
    // The lock keeps out new memberships, which refer to the computer.
    const computer = await db.selectFrom('computers').select('role').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!computer) throw computerNotFound({ clientId: id })
    if (computer.role === 'MasterServer') throw masterServer({ clientId: id })
    const groups = await db
      .selectFrom('groups')
      .innerJoin('group_computers', 'group_computers.group_id', 'groups.id')
      .select(['groups.id', 'groups.kind'])
      .where('group_computers.computer_id', '=', id)
      .execute()
    if (groups.length > 0 && !query.force) throw assigned({ clientId: id })
    await db.deleteFrom('computers').where('id', '=', id).execute()
    await deleteEmptied(
      db,
      groups.filter(({ kind }) => kind === 'Reinstall').map((group) => group.id),
    )
  },
})

/** The locks make two computers that leave a group at once wait for each other, so that the second finds it empty. */
async function deleteEmptied(db: Database, groupIds: string[]): Promise<void> {
  if (groupIds.length === 0) return
  await db.selectFrom('groups').select('id').where('id', 'in', groupIds).orderBy('id').forUpdate().execute()
  await sql`
    delete from groups where id = any(${groupIds}::uuid[])
      and not exists (select from group_computers where group_id = groups.id)`.execute(db)
}
