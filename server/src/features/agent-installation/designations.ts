import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isDistributable } from '../packages/distributable.ts'
import { getPackageById, packageRows, type TrustedKeys } from '../packages/package-rows.ts'
import { type AgentPlatform, agentPackageNames, agentPlatforms, installableFiles, isTrusted } from './agent-package.ts'
import { agentPackageChanged, agentPackageNotTrusted, notAnAgentPackage } from './api/problems.ts'

export const designationStates = ['NotDesignated', 'Served', 'NotReleased', 'ContentChanged', 'NotTrusted'] as const

type Designation = {
  packageId: string
  contentHash: string
  designatedAtUtc: Date
  designatedBy: string | null
  state: (typeof designationStates)[number]
}

/** Several versions may be kept, but nobody chooses among hundreds. */
const maxCandidates = 20

/** Which package new computers with each platform get, and which they could get. */
export async function listDesignations(db: Database, keys: TrustedKeys) {
  return Promise.all(agentPlatforms.map((platform) => describeDesignation(db, keys, platform)))
}

export async function describeDesignation(db: Database, keys: TrustedKeys, platform: AgentPlatform) {
  const { packageId, ...designation } = (await findDesignation(db, keys, platform)) ?? noDesignation
  return {
    platform,
    ...designation,
    package: packageId === null ? null : await getPackageById(db, keys, packageId),
    candidates: await candidateRows(db, keys, platform).limit(maxCandidates).execute(),
  }
}

const noDesignation = {
  packageId: null,
  contentHash: null,
  designatedAtUtc: null,
  designatedBy: null,
  state: 'NotDesignated' as const,
}

async function findDesignation(
  db: Database,
  keys: TrustedKeys,
  platform: AgentPlatform,
): Promise<Designation | undefined> {
  const { rows } = await sql<Designation>`
    select package_id as "packageId", encode(agent_packages.content_hash, 'hex') as "contentHash",
      designated_at as "designatedAtUtc", designated_by as "designatedBy",
      case when packages.content_hash is distinct from agent_packages.content_hash then 'ContentChanged'
        when not ${isDistributable('packages')} then 'NotReleased'
        when not ${isTrusted(keys)} then 'NotTrusted' else 'Served' end as state
    from agent_packages join packages on packages.id = agent_packages.package_id
    where platform = ${platform}`.execute(db)
  return rows[0]
}

/** The packages that can be designated, the latest import first. */
function candidateRows(db: Database, keys: TrustedKeys, platform: AgentPlatform) {
  return packageRows(db, keys)
    .where('packages.package_name', '=', agentPackageNames[platform])
    .where('packages.kind', '=', 'Software')
    .where('packages.content_hash', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('package_files')
          .whereRef('package_id', '=', 'packages.id')
          .where('path', 'in', installableFiles[platform]),
      ),
    )
    .orderBy('packages.imported_at', 'desc')
    .orderBy('packages.id')
}

export type NewDesignation = { packageId: string; contentHash: string | null; designatedBy: string }

/** Designates a package with the content that it has now. Throws if that is not what the caller has seen. */
export async function designate(
  db: Database,
  keys: TrustedKeys,
  platform: AgentPlatform,
  { packageId, contentHash, designatedBy }: NewDesignation,
): Promise<void> {
  // An import that changes the content waits so that the hash is the one of what was checked.
  await sql`select from packages where id = ${packageId} for no key update`.execute(db)
  const found = await getPackageById(db, keys, packageId)
  const candidate = await candidateRows(db, keys, platform)
    .where('packages.id', '=', packageId)
    .select(isTrusted(keys).as('isTrusted'))
    .executeTakeFirst()
  if (!candidate) throw notAnAgentPackage({ packageId, platform })
  if (contentHash !== null && contentHash !== found.contentHash) throw agentPackageChanged({ packageId })
  if (!candidate.isTrusted) throw agentPackageNotTrusted({ packageId })
  await sql`
    insert into agent_packages (platform, package_id, content_hash, designated_by)
    select ${platform}, id, content_hash, ${designatedBy} from packages where id = ${packageId}
    on conflict on constraint agent_packages_pkey do update set package_id = excluded.package_id,
      content_hash = excluded.content_hash, designated_at = now(), designated_by = excluded.designated_by`.execute(db)
}
