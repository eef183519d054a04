import { sql } from 'kysely'
import { groupNotFound, requireGroup } from '../../domain/groups.ts'
import { requirePackage } from '../../domain/packages/package-rows.ts'
import { packageNotFound } from '../../domain/packages/problems.ts'
import { ok, operation } from '../../platform/operation.ts'
import { pageOf, paging } from '../../platform/paging.ts'
import { closed, Type, Uuid } from '../../platform/schema.ts'
import { type AssignedComputer, assignedComputers } from './assigned-computers.ts'
import { PackagePath, PackageStatus } from './schemas.ts'

export const getPackageStatus = operation({
  id: 'getPackageStatus',
  route: 'GET /api/packages/:id/status',
  summary: 'Read how far a package has come on the computers that get it',
  role: 'package.read',
  params: PackagePath,
  query: closed({
    ...paging,
    groupId: Type.Optional({ ...Uuid, description: 'Only computers in this group and in the groups below it.' }),
  }),
  returns: ok(PackageStatus),
  problems: [packageNotFound, groupNotFound],
  async handle(call) {
    const { params, query, db } = call
    const { kind } = await requirePackage(db, params.id)
    if (query.groupId) await requireGroup(db, query.groupId)
    // Until a computer has reported a result, it is pending; results are not kept yet.
    const assigned = assignedComputers(params.id, kind, query.groupId)
    const computers = db
      .selectFrom('computers')
      .innerJoin(sql<AssignedComputer>`(${assigned})`.as('assigned'), 'assigned.owner_id', 'computers.id')
      .select([
        'computers.id',
        'computers.name as hostname',
        'computers.domain',
        sql<'Pending' | 'Success' | 'Failed'>`'Pending'`.as('status'),
        sql<Date | null>`null::timestamptz`.as('installTime'),
        sql<string | null>`null::text`.as('errorText'),
        'assigned.group_id as assignedGroupId',
        'assigned.group_path as assignedGroupPath',
      ])
    const devices = await pageOf(call, computers, { columns: ['id'] })
    const total = devices.totalCount
    return {
      packageId: params.id,
      groupId: query.groupId ?? null,
      total,
      pending: total,
      success: 0,
      failed: 0,
      devices,
    }
  },
})
