import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { packageNotAssigned } from '../../assignments/api/groups/problems.ts'
import { effectiveAssignments } from '../../assignments/effective-assignments.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { optionsFor } from '../distribution-options.ts'
import { optionsOfUnknownGroup } from './problems.ts'
import { DistributionOptions, OptionsQuery } from './schemas.ts'

export const getDistributionOptions = operation({
  id: 'getDistributionOptions',
  route: 'GET /api/group/:id/distribution-options',
  summary: 'Read how packages are distributed in a group',
  description:
    'The options are those of the nearest group that has any, from this one upwards; within one group, those of the ' +
    'package come before those of the whole group. Where no group has any, packages are installed at once. An unknown ' +
    'group is answered with 404 and no body.',
  role: 'group.read',
  params: GroupPath,
  query: OptionsQuery,
  returns: ok(DistributionOptions),
  problems: [optionsOfUnknownGroup, packageNotFound, packageNotAssigned],
  // It says the same as scheduleString, and besides when that opens next, which changes with time.
  unversioned: ['schedule'],
  async handle({ params, query, db }) {
    const options = await optionsFor(db, params.id, query.packageId ?? null)
    if (query.packageId !== undefined) await requireAssignedPackage(db, params.id, query.packageId)
    return options
  },
})

async function requireAssignedPackage(db: Database, groupId: string, packageId: string): Promise<void> {
  await requirePackage(db, packageId)
  const assigned = effectiveAssignments('package', 'group', sql`select ${groupId}::uuid as owner_id`)
  const { rows } = await sql`select from (${assigned}) as assigned where object_id = ${packageId}`.execute(db)
  if (rows.length === 0) throw packageNotAssigned({ groupId, packageId })
}
