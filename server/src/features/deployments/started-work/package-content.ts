import {
  hasDeclaredForm,
  type ManifestCommand,
  type ManifestCommands,
  type ManifestMsi,
  type ManifestSource,
  type PackageManifest,
} from '@muster/package-format'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { languagePackCommands } from './language-pack-commands.ts'

type File = { path: string; size: number; sha256: string }
type Row = { id: string; manifest: PackageManifest | null; files: File[] }

/** What a manifest declares with more than commands. */
export type WorkDeclaration = { commands: ManifestCommands; msi?: ManifestMsi; source?: ManifestSource }

export type PackageContent = {
  commands: ManifestCommands
  /** In place of the commands, which then only say that the agent is too old. */
  declared?: WorkDeclaration
  files: File[]
  secretNames: string[]
}

/** Reads the commands of a package, with their defaults, its files, and the names of the secrets that it needs. */
export async function loadPackageContent(db: Database, packageId: string): Promise<PackageContent> {
  return (await loadPackageContents(db, [packageId])).get(packageId) ?? noContent
}

const noContent: PackageContent = { commands: {}, files: [], secretNames: [] }

/** The same for several packages, by their ids. */
export async function loadPackageContents(db: Database, ids: readonly string[]): Promise<Map<string, PackageContent>> {
  const { rows } = await sql<Row>`
    select packages.id, packages.manifest, (
      select coalesce(jsonb_agg(
        jsonb_build_object('path', path, 'size', size, 'sha256', encode(sha256, 'hex')) order by path), '[]')
      from package_files where package_id = packages.id) as files
    from packages where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, toContent(row)]))
}

function toContent({ manifest, files }: Row): PackageContent {
  const secretNames = manifest && 'secrets' in manifest && Array.isArray(manifest.secrets) ? manifest.secrets : []
  const work = manifest ? toWork(manifest) : { commands: {} }
  return { ...work, files, secretNames: secretNames.map(String) }
}

function toWork(manifest: PackageManifest): Pick<PackageContent, 'commands' | 'declared'> {
  const commands = withDefaults(commandsOf(manifest))
  const msi = 'msi' in manifest ? manifest.msi : undefined
  const source = 'source' in manifest ? manifest.source : undefined
  const isDeclared = msi !== undefined || source !== undefined || hasDeclaredForm(commands)
  if (!isDeclared) return { commands }
  const declared = {
    commands,
    ...(msi && { msi: { properties: {}, timeLimitMinutes: 60, ...msi } }),
    ...(source && { source: { allowDowngrade: false, timeLimitMinutes: 60, ...source } }),
  }
  return { commands: outdatedCommands, declared }
}

function commandsOf(manifest: PackageManifest): ManifestCommands {
  if ('commands' in manifest) return manifest.commands ?? {}
  return manifest.kind === 'languagePack' ? languagePackCommands(manifest.image) : {}
}

const defaults = { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] }

function withDefaults(commands: ManifestCommands): ManifestCommands {
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, { ...defaults, ...command }]))
}

/** The output of an agent that is too old for a package. */
export const outdatedAgentText =
  'This package needs a newer version of the Muster agent. Update the agent, then activate the computer.'

/**
 * The command for agents that do not know `declared`: all of them run on Linux. Nothing happens to the software, and the
 * result says why.
 */
const outdated: ManifestCommand = { shell: `echo "${outdatedAgentText}" >&2; exit 1`, ...defaults }
const outdatedCommands: ManifestCommands = { install: outdated, update: outdated, uninstall: outdated }
