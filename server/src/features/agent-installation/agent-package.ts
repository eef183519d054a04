import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { PublicKey } from '../../platform/minisign/public-key.ts'
import { isDistributable } from '../packages/distributable.ts'
import { manifestName, manifestSignatureName } from '../packages/manifest.ts'

/** The names in the manifests of the packages that `npm run package` builds of the agent. */
const packageNames = { Linux: 'muster-agent', Windows: 'muster-agent-windows' } as const
export type AgentPlatform = keyof typeof packageNames
export const agentPlatforms = Object.keys(packageNames) as AgentPlatform[]

export const architectures = ['x64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]

export type AgentFile = { path: string; size: number; sha256: string }

/** The package from which agents are installed. */
export type AgentPackage = { folder: string; version: string; files: readonly AgentFile[] }

const archiveOf = (architecture: Architecture) => `muster-agent-linux-${architecture}.tar.gz`
const windowsInstaller = 'muster-agent.msi'

/** The files that everybody may have; the packages may contain others. */
const publicPaths: readonly string[] = [
  ...architectures.map(archiveOf),
  windowsInstaller,
  manifestName,
  manifestSignatureName,
]

/**
 * The released package of the agent that was imported last. If the service knows keys, one of them must have signed it.
 * Undefined if there is none.
 */
export async function findAgentPackage(
  db: Database,
  { trustedKeys }: { trustedKeys: readonly PublicKey[] },
  platform: AgentPlatform,
): Promise<AgentPackage | undefined> {
  const keys = trustedKeys.map(({ text }) => text)
  const { rows } = await sql<AgentPackage>`
    select packages.folder, packages.version, jsonb_agg(jsonb_build_object(
      'path', package_files.path, 'size', package_files.size, 'sha256', encode(package_files.sha256, 'hex'))) as files
    from packages join package_files on package_files.package_id = packages.id
    where packages.package_name = ${packageNames[platform]} and packages.kind = 'Software'
      and packages.folder is not null
      and ${isDistributable('packages')} and package_files.path = any(${publicPaths}::text[])
      and (${keys.length === 0} or packages.signature_key = any(${keys}::text[]))
    group by packages.id
    order by packages.imported_at desc, packages.id
    limit 1`.execute(db)
  return rows[0]
}

export function findArchive({ files }: AgentPackage, architecture: Architecture): AgentFile | undefined {
  return files.find(({ path }) => path === archiveOf(architecture))
}

/** The installer for Windows; undefined if the package only updates agents. */
export function findWindowsInstaller({ files }: AgentPackage): AgentFile | undefined {
  return files.find(({ path }) => path === windowsInstaller)
}

/** The signed manifest; undefined if the package is not signed. */
export function findSignedManifest({ files }: AgentPackage): { manifest: AgentFile; signature: AgentFile } | undefined {
  const manifest = files.find(({ path }) => path === manifestName)
  const signature = files.find(({ path }) => path === manifestSignatureName)
  return manifest && signature && { manifest, signature }
}
