import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { WorkItem } from './work-items.ts'

/** Selects pending reinstalls in the shape of the API. */
export function reinstallGroupRows(db: Database) {
  return db
    .selectFrom('reinstall_groups')
    .innerJoin('groups', 'groups.id', 'reinstall_groups.group_id')
    .innerJoin('groups as parents', 'parents.id', 'groups.parent_id')
    .innerJoin('packages', 'packages.id', 'reinstall_groups.package_id')
    .select([
      'reinstall_groups.group_id as reinstallGroupId',
      'parents.id as parentGroupId',
      'parents.name as parentGroupName',
      'packages.id as softwareId',
      'packages.name as softwareName',
      'reinstall_groups.requested_at as requestedAtUtc',
      // The reinstall ends with its work item, so a pending one has exactly one.
      sql<string>`(select task_id from work where reinstall_group_id = reinstall_groups.group_id limit 1)`.as(
        'trackingId',
      ),
    ])
}

/** Ends the reinstalls of the work items. The caller has closed the items; otherwise this would cancel them. */
export async function deleteReinstallGroups(
  db: Database,
  items: readonly Pick<WorkItem, 'reinstall_group_id'>[],
): Promise<void> {
  const ids = items.flatMap(({ reinstall_group_id }) => reinstall_group_id ?? [])
  if (ids.length > 0) await db.deleteFrom('reinstall_groups').where('group_id', 'in', ids).execute()
}
