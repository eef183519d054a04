import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { packageNotFound } from '../packages/problems.ts'
import { wrongEndpointForType } from './api/groups/problems.ts'
import { effectiveAssignments } from './effective-assignments.ts'

type Endpoint = 'packages' | 'os-image-sku' | 'agent-template' | 'language-pack-imports' | 'pxe-bootimage'

/** Where packages are assigned that have an endpoint of their own. */
const endpoints: Record<string, Endpoint> = {
  OperatingSystem: 'os-image-sku',
  AgentTemplate: 'agent-template',
  LanguagePack: 'language-pack-imports',
  PxeBootImage: 'pxe-bootimage',
}

export type PinnedPackage = { id: string; kind: string }

/** For assignments: the package cannot go before the transaction ends. */
export async function pinPackage(db: Database, packageId: string): Promise<PinnedPackage> {
  const found = await db
    .selectFrom('packages')
    .select(['id', 'kind'])
    .where('id', '=', packageId)
    .forKeyShare()
    .executeTakeFirst()
  if (!found) throw packageNotFound({ packageId })
  return found
}

export function requireEndpoint({ id, kind }: PinnedPackage, endpoint: Endpoint): void {
  const right = endpoints[kind] ?? 'packages'
  if (right !== endpoint)
    throw wrongEndpointForType({ packageId: id, packageType: kind, endpoint: `/api/group/{id}/${right}` })
}

/** Those of the groups that get the package through a software class, assigned to them or to a group above. */
export async function coveredGroups(db: Database, groupIds: string[], packageId: string): Promise<Set<string>> {
  const classes = effectiveAssignments('softwareClass', 'group', sql`select unnest(${groupIds}::uuid[]) as owner_id`)
  const { rows } = await sql<{ owner_id: string }>`
    select distinct owner_id
    from (${classes}) as effective join software_class_packages content on content.class_id = effective.object_id
    where content.package_id = ${packageId}`.execute(db)
  return new Set(rows.map(({ owner_id }) => owner_id))
}
