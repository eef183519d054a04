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
import { countPackageStatus, type PackageStatusOfComputer, packageStatusOfComputer } from '../../package-results.ts'

export const getPackageStatus = operation({
  id: 'getPackageStatus',
  route: 'GET /api/packages/:id/status',
  summary: 'Get the deployment status of a package',
  description:
    'Counts and lists the computers to which the package is assigned, directly or through a software class. A computer ' +
    'without a result counts as pending, and one that the package is not for counts as not applicable. An agent template is ' +
    'a success where the agent runs with its settings.',
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
    const counts = await countPackageStatus(db, params.id, kind, query.groupId)
    return { packageId: params.id, groupId: query.groupId ?? null, ...counts, devices }
  },
})

function deviceRows(db: Database, packageId: string, kind: string) {
  const group = assigningGroup(packageId, kind, sql<number>`computers.id`)
  return db
    .selectFrom('computers')
    .innerJoinLateral(sql<{ group_id: string; group_path: string }>`(${group})`.as('assigning'), (join) =>
      join.onTrue(),
    )
    .innerJoinLateral(
      sql<PackageStatusOfComputer>`(${packageStatusOfComputer(packageId, kind, sql<number>`computers.id`)})`.as(
        'result',
      ),
      (join) => join.onTrue(),
    )
    .select([
      'computers.id',
      'computers.name as hostname',
      'computers.domain',
      'result.status',
      'result.installed_at as installTime',
      'result.error_text as errorText',
      'assigning.group_id as assignedGroupId',
      'assigning.group_path as assignedGroupPath',
    ])
}
