import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, Type, Uuid } from '../../../../platform/schema.ts'
import { assignedComputers, assigningGroup } from '../../../assignments/assigned-computers.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { PackagePath, PackageStatus } from '../../../packages/api/schemas.ts'
import { requirePackage } from '../../../packages/package-rows.ts'
import { packageNotFound } from '../../../packages/problems.ts'
import { type PackageResult, packageResults } from '../../package-results.ts'

export const getPackageStatus = operation({
  id: 'getPackageStatus',
  route: 'GET /api/packages/:id/status',
  summary: 'Get the deployment status of a package',
  description:
    'Counts and lists the computers to which the package is assigned, directly or through a software class. A computer ' +
    'without a result counts as pending. An agent template is a success where the agent runs with its settings.',
  role: 'package.read',
  params: PackagePath,
  query: closed({
    ...paging,
    groupId: Type.Optional({ ...Uuid, description: 'Only computers in this group and in the groups below it' }),
  }),
  returns: ok(PackageStatus),
  problems: [packageNotFound, groupNotFound],
  async handle(call) {
    const { params, query, db } = call
    const { kind } = await requirePackage(db, params.id)
    if (query.groupId) await requireGroup(db, query.groupId)
    const assigned = assignedComputers(params.id, kind, query.groupId)
    const matching = db.selectFrom('computers').select('id').where(sql<boolean>`id in (${assigned})`)
    const devices = await pageOf(
      call,
      deviceRows(db, params.id, kind),
      { columns: ['id'] },
      { query: matching, once: true },
    )
    const { success, failed } = await db
      .selectFrom(sql<PackageResult>`(${packageResults(params.id, kind)})`.as('result'))
      .where(sql<boolean>`computer_id in (${assigned})`)
      .select([
        sql<number>`count(*) filter (where status = 'Success')`.as('success'),
        sql<number>`count(*) filter (where status = 'Failed')`.as('failed'),
      ])
      .executeTakeFirstOrThrow()
    const total = devices.totalCount
    return {
      packageId: params.id,
      groupId: query.groupId ?? null,
      total,
      // The two statements may see different computers.
      pending: Math.max(0, total - success - failed),
      success,
      failed,
      devices,
    }
  },
})

function deviceRows(db: Database, packageId: string, kind: string) {
  const group = assigningGroup(packageId, kind, sql<number>`computers.id`)
  return db
    .selectFrom('computers')
    .innerJoinLateral(sql<{ group_id: string; group_path: string }>`(${group})`.as('assigning'), (join) =>
      join.onTrue(),
    )
    .leftJoin(sql<PackageResult>`(${packageResults(packageId, kind)})`.as('result'), (join) =>
      join.onRef('result.computer_id', '=', 'computers.id'),
    )
    .select([
      'computers.id',
      'computers.name as hostname',
      'computers.domain',
      sql<'Pending' | 'Success' | 'Failed'>`coalesce(result.status, 'Pending')`.as('status'),
      'result.installed_at as installTime',
      sql<string | null>`case when result.status = 'Failed' then result.error_text end`.as('errorText'),
      'assigning.group_id as assignedGroupId',
      'assigning.group_path as assignedGroupPath',
    ])
}
