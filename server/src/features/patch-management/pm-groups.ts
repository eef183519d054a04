import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { pmGroupNotFound } from '../patches/problems.ts'

export const pmGroupCategories = ['Patch', 'ServicePack'] as const

export type PmGroupCategory = (typeof pmGroupCategories)[number]

const counted = (rows: RawBuilder<unknown>) => sql<number>`(select count(*)::integer ${rows})`

/** PM groups as the API shows them. */
export function pmGroupRows(db: Database) {
  return db
    .selectFrom('pm_groups')
    .select([
      'pm_groups.id',
      'pm_groups.name',
      sql<PmGroupCategory>`pm_groups.category`.as('category'),
      'pm_groups.description',
      counted(sql`from pm_group_patches where pm_group_id = pm_groups.id`).as('patchCount'),
      counted(sql`from pm_group_assignments where pm_group_id = pm_groups.id`).as('assignmentCount'),
    ])
}

export async function getPmGroupRow(db: Database, id: number) {
  const found = await pmGroupRows(db).where('pm_groups.id', '=', id).executeTakeFirst()
  if (!found) throw pmGroupNotFound({ pmGroupId: id })
  return found
}

export async function requirePmGroup(db: Database, id: number): Promise<void> {
  const found = await db.selectFrom('pm_groups').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw pmGroupNotFound({ pmGroupId: id })
}

/** For changes to what belongs to a PM group: these follow each other, and it is not deleted meanwhile. */
export async function lockPmGroup(db: Database, id: number) {
  const found = await db
    .selectFrom('pm_groups')
    .select(['id', 'name', sql<PmGroupCategory>`category`.as('category')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw pmGroupNotFound({ pmGroupId: id })
  return found
}
