import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveAssignments } from './effective-assignments.ts'

/**
 * Which of the groups get the package through a software class that is assigned to them or to an ancestor. The package
 * cannot be assigned to those groups directly.
 */
export async function findGroupsCoveredByClass(
  db: Database,
  groupIds: string[],
  packageId: string,
): Promise<Set<string>> {
  const classes = effectiveAssignments('softwareClass', 'group', sql`select unnest(${groupIds}::uuid[]) as owner_id`)
  const { rows } = await sql<{ owner_id: string }>`
    select distinct owner_id
    from (${classes}) as effective join software_class_packages content on content.class_id = effective.object_id
    where content.package_id = ${packageId}`.execute(db)
  return new Set(rows.map(({ owner_id }) => owner_id))
}
