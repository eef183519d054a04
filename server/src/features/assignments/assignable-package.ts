import type { Database } from '../../database/connect.ts'
import { packageNotFound } from '../packages/problems.ts'
import { wrongEndpointForType } from './api/groups/problems.ts'

/** The last part of the path that assigns packages to groups. */
type Endpoint = 'packages' | 'os-image-sku' | 'agent-template' | 'language-pack-imports' | 'pxe-bootimage'

/** Kinds of packages with their own endpoint. All others are assigned through `packages`. */
const endpointByKind = new Map<string, Endpoint>(
  Object.entries({
    OperatingSystem: 'os-image-sku',
    AgentTemplate: 'agent-template',
    LanguagePack: 'language-pack-imports',
    PxeBootImage: 'pxe-bootimage',
  } as const),
)

export type AssignablePackage = { id: string; kind: string }

/** Keeps the package from being deleted until the transaction ends. Throws 404 if it does not exist. */
export async function pinPackage(db: Database, packageId: string): Promise<AssignablePackage> {
  const found = await db
    .selectFrom('packages')
    .select(['id', 'kind'])
    .where('id', '=', packageId)
    .forKeyShare()
    .executeTakeFirst()
  if (!found) throw packageNotFound({ packageId })
  return found
}

/** Throws 409 with the right endpoint if packages of this kind are not assigned through the given one. */
export function requireEndpoint({ id, kind }: AssignablePackage, endpoint: Endpoint): void {
  const expected = endpointByKind.get(kind) ?? 'packages'
  if (expected !== endpoint)
    throw wrongEndpointForType({ packageId: id, packageType: kind, endpoint: `/api/group/{id}/${expected}` })
}
