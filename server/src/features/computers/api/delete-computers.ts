import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { hasRole } from '../../../platform/authentication/authenticate.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Id, nullable, Type } from '../../../platform/schema.ts'
import { deletableComputers, deleteLockedComputers, lockForDeletion } from '../deletion.ts'
import { notFoundCount, selectedIds, selectionCount } from '../selection-schemas.ts'

/** Each computer takes rows of many tables with it. */
const maxDeleted = 1_000

const maxNamed = 20

const DeletedComputers = closed(
  {
    deleted: selectionCount('Computers that were deleted', 412),
    groupMembers: selectionCount('Those of them that were members of a group', 400),
    listedDepots: selectionCount('Those of them that groups had in their list of depots', 1),
    masterServers: selectionCount('Computers that were kept because they are the master server', 0),
    notFound: notFoundCount,
    firstComputers: {
      ...nullable(
        Type.Array(
          closed({ computerId: Id, name: Type.String({ examples: ['pc-0017'] }) }, { title: 'NamedDeletedComputer' }),
          { maxItems: maxNamed },
        ),
      ),
      description: 'The first of them by name, at most 20. Null for callers without the role computer.read',
    },
  },
  { title: 'DeletedComputers' },
)

export const deleteComputers = operation({
  id: 'deleteComputers',
  route: 'POST /api/fleet/computers/deletion',
  summary: 'Delete selected computers',
  description:
    'Does for each of the computers what deleteComputer does with `force`, wholly or not at all. The master server is kept.',
  role: 'computer.write',
  execution: { kind: 'LongChange' },
  extension: true,
  destructive: true,
  massAction: {
    computers: ({ body }) => deletableComputers(body.computerIds),
    lock: async (db, { body }) => {
      await lockForDeletion(db, body.computerIds)
    },
  },
  body: closed({ computerIds: selectedIds(maxDeleted) }, { title: 'DeleteComputersRequest' }),
  returns: ok(DeletedComputers),
  async handle({ body, db, caller }) {
    const found = await lockForDeletion(db, body.computerIds)
    const ids = found.filter(({ role }) => role !== 'MasterServer').map(({ id }) => id)
    const firstComputers = hasRole(caller.principal, 'computer.read') ? await listFirst(db, ids) : null
    const counts = await countRelations(db, ids)
    await deleteLockedComputers(db, ids)
    return {
      deleted: ids.length,
      ...counts,
      masterServers: found.length - ids.length,
      notFound: new Set(body.computerIds).size - found.length,
      firstComputers,
    }
  },
})

async function listFirst(db: Database, ids: readonly number[]): Promise<{ computerId: number; name: string }[]> {
  const { rows } = await sql<{ computerId: number; name: string }>`
    select id as "computerId", name from computers where id = any(${ids}::integer[])
    order by lower(name), id limit ${maxNamed}`.execute(db)
  return rows
}

async function countRelations(db: Database, ids: readonly number[]) {
  const { rows } = await sql<{ groupMembers: number; listedDepots: number }>`
    select
      (select count(distinct computer_id)::integer from group_computers where computer_id = any(${ids}::integer[])) as "groupMembers",
      (select count(distinct computer_id)::integer from group_depot_servers where computer_id = any(${ids}::integer[])) as "listedDepots"`.execute(
    db,
  )
  return rows[0] ?? { groupMembers: 0, listedDepots: 0 }
}
