import { packageKinds } from '@muster/package-format'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../../platform/like-pattern.ts'
import { enumOf, Id, type Static, Type, text } from '../../../platform/schema.ts'
import { deploymentStatus } from '../../deployments/deployment-status.ts'

export type DeploymentCounts = { success: number; failed: number; pending: number }

/**
 * Counts the computers by the state of the package of a surrounding row of `packages`. What has ended is counted in its index, which
 * knows all but how those without a result are counted.
 */
export const deploymentCounts = sql<DeploymentCounts>`(
  select jsonb_build_object('success', coalesce(sum(counted.computers) filter (where counted.status = 'Success'), 0),
    'failed', coalesce(sum(counted.computers) filter (where counted.status = 'Failed'), 0),
    'pending', coalesce(sum(counted.computers) filter (where counted.status = 'Pending'), 0))
  from (
    select deployment.status, count(*) as computers from deployments deployment
    where deployment.package_id = packages.id and deployment.status in ('Success', 'Failed') group by 1
    union all
    select ${deploymentStatus}, count(*) from deployments deployment
    where deployment.package_id = packages.id and deployment.status = 'Pending' group by 1
  ) as counted)`

/** The query parameters that select packages. */
export const packageListFilters = {
  search: Type.Optional(
    text(
      255,
      'greet 1.2',
      'Words separated by spaces. Each must occur, regardless of case, in the name, the name in the manifest, the version or ' +
        'the designation of a tag.',
    ),
  ),
  operational: Type.Optional(Type.Boolean({ examples: [false], description: 'Whether Ready-to-Install is set' })),
  hashState: Type.Optional(enumOf(['None', 'Current', 'Mismatch'], { description: 'Only packages in this state' })),
  kind: Type.Optional(enumOf(Object.values(packageKinds), { description: 'Only packages of this kind' })),
  tagId: Type.Optional({ ...Id, description: 'Only packages with this tag' }),
  failing: Type.Optional(
    Type.Boolean({ examples: [true], description: 'Whether the package fails on a computer now' }),
  ),
}

type PackageListFilter = { [K in keyof typeof packageListFilters]?: Static<(typeof packageListFilters)[K]> }

/** Whether a row of `packages` passes the filter. */
export function matchesPackageList(filter: PackageListFilter): RawBuilder<boolean> {
  const { operational, hashState, kind, tagId, failing } = filter
  const words = filter.search?.split(/\s+/).filter((word) => word !== '') ?? []
  const conditions = [
    ...words.map(containsWord),
    ...(operational === undefined ? [] : [sql`packages.is_operational is ${operational ? sql`true` : sql`false`}`]),
    ...(hashState === undefined ? [] : [sql`packages.hash_state = ${hashState}`]),
    ...(kind === undefined ? [] : [sql`packages.kind = ${kind}`]),
    ...(tagId === undefined
      ? []
      : [sql`packages.id in (select package_id from package_tags where tag_id = ${tagId}::integer)`]),
    ...(failing === undefined ? [] : [sql`${isFailing} = ${failing}`]),
  ]
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

const isFailing = sql`exists (
  select from deployments failed where failed.package_id = packages.id and failed.status = 'Failed')`

function containsWord(word: string): RawBuilder<boolean> {
  const pattern = containing(word)
  return sql<boolean>`(packages.name ilike ${pattern} or packages.package_name ilike ${pattern}
    or packages.version ilike ${pattern} or packages.id in (
      select package_tags.package_id from package_tags join tags on tags.id = package_tags.tag_id
      where tags.designation ilike ${pattern}))`
}
