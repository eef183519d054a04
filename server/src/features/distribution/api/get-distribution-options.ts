import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { packageNotAssigned } from '../../assignments/api/groups/problems.ts'
import { effectiveAssignments, groupAsOwner } from '../../assignments/effective-assignments.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { getEffectiveOptions } from '../distribution-options.ts'
import { optionsGroupNotFound } from './problems.ts'
import { DistributionOptions, OptionsQuery } from './schemas.ts'

export const getDistributionOptions = operation({
  id: 'getDistributionOptions',
  route: 'GET /api/group/:id/distribution-options',
  summary: 'Get the effective distribution options of a group, or of a package in it',
  description:
    'Returns the options of the nearest group that has any, starting with this group and going up. Within one group, ' +
    'the options of the package win over those of the whole group. If no group has options, packages are installed ' +
    'at once. A package must be assigned to the group or inherited by it, otherwise the answer is 404. An unknown ' +
    'group is answered with 404 and an empty body.',
  role: 'group.read',
  params: GroupPath,
  query: OptionsQuery,
  returns: ok(DistributionOptions),
  problems: [optionsGroupNotFound, packageNotFound, packageNotAssigned],
  // It repeats scheduleString and adds nextStart, which changes with time. The version must not change with it.
  unversioned: ['schedule'],
  async handle({ params, query, db }) {
    const options = await getEffectiveOptions(db, params.id, query.packageId ?? null)
    if (query.packageId !== undefined) await requireEffectivePackage(db, params.id, query.packageId)
    return options
  },
})

async function requireEffectivePackage(db: Database, groupId: string, packageId: string): Promise<void> {
  await requirePackage(db, packageId)
  const effective = effectiveAssignments('package', 'group', groupAsOwner(groupId))
  const { rows } = await sql`select from (${effective}) as effective where object_id = ${packageId}`.execute(db)
  if (rows.length === 0) throw packageNotAssigned({ groupId, packageId })
}
