import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { pmGroupNotFound } from '../patches/problems.ts'

export const pmGroupCategories = ['Patch', 'ServicePack'] as const

export type PmGroupCategory = (typeof pmGroupCategories)[number]

/** Counts the rows of a `from` clause. */
const countOf = (rows: RawBuilder<unknown>) => sql<number>`(select count(*)::integer ${rows})`

/** PM groups in the shape of the API. */
export function pmGroupRows(db: Database) {
  return db
    .selectFrom('pm_groups')
    .select([
      'pm_groups.id',
      'pm_groups.name',
      sql<PmGroupCategory>`pm_groups.category`.as('category'),
      'pm_groups.description',
      countOf(sql`from pm_group_patches where pm_group_id = pm_groups.id`).as('patchCount'),
      countOf(sql`from pm_group_assignments where pm_group_id = pm_groups.id`).as('assignmentCount'),
    ])
}

export async function getPmGroupRow(db: Database, id: number) {
  const pmGroup = await pmGroupRows(db).where('pm_groups.id', '=', id).executeTakeFirst()
  if (!pmGroup) throw pmGroupNotFound({ pmGroupId: id })
  return pmGroup
}

export async function requirePmGroup(db: Database, id: number): Promise<void> {
  const pmGroup = await db.selectFrom('pm_groups').select('id').where('id', '=', id).executeTakeFirst()
  if (!pmGroup) throw pmGroupNotFound({ pmGroupId: id })
}

/** Locks a PM group for changes to its patches, assignments and emergency, which must not run concurrently. */
export async function lockPmGroup(db: Database, id: number) {
  const pmGroup = await db
    .selectFrom('pm_groups')
    .select(['id', 'name', sql<PmGroupCategory>`category`.as('category')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!pmGroup) throw pmGroupNotFound({ pmGroupId: id })
  return pmGroup
}
