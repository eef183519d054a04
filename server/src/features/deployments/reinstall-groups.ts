import type { Database } from '../../database/connect.ts'

/** Pending reinstalls as the API shows them. */
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
    ])
}
