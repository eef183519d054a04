import { manifestName, manifestSignatureName } from '@muster/package-format'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isDistributable } from '../packages/distributable.ts'
import type { TrustedKeys } from '../packages/package-rows.ts'

/** The names in the manifests of the packages that `npm run package` builds of the agent. They alone give no rights. */
export const agentPackageNames = { Linux: 'muster-agent', Windows: 'muster-agent-windows' } as const
export type AgentPlatform = keyof typeof agentPackageNames
export const agentPlatforms = Object.keys(agentPackageNames) as AgentPlatform[]

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

/** The files of which at least one makes a package installable, by platform. */
export const installableFiles: Record<AgentPlatform, readonly string[]> = {
  Linux: architectures.map(archiveOf),
  Windows: [windowsInstaller],
}

/**
 * The package that an administrator has designated for the platform, as long as it is released and has the content that
 * was designated. If the service knows keys, one of them must have signed it. Undefined if there is none.
 */
export async function findAgentPackage(
  db: Database,
  keys: TrustedKeys,
  platform: AgentPlatform,
): Promise<AgentPackage | undefined> {
  const { rows } = await sql<AgentPackage>`
    select packages.folder, packages.version, jsonb_agg(jsonb_build_object(
      'path', package_files.path, 'size', package_files.size, 'sha256', encode(package_files.sha256, 'hex'))) as files
    from agent_packages
      join packages on packages.id = agent_packages.package_id and packages.content_hash = agent_packages.content_hash
      join package_files on package_files.package_id = packages.id
    where agent_packages.platform = ${platform} and packages.folder is not null
      and ${isDistributable('packages')} and package_files.path = any(${publicPaths}::text[])
      and ${isTrusted(keys)}
    group by packages.id`.execute(db)
  return rows[0]
}

/** Whether one of the keys has signed the row of `packages`, if the service knows keys. */
export function isTrusted({ trustedKeys }: TrustedKeys): RawBuilder<boolean> {
  const keys = trustedKeys.map(({ text }) => text)
  return sql<boolean>`(${keys.length === 0} or coalesce(packages.signature_key = any(${keys}::text[]), false))`
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
