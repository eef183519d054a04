import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Static } from '../../../platform/schema.ts'
import type { PackageCommand, PackageManifest } from '../../packages/manifest.ts'
import { languagePackCommands } from './language-pack-commands.ts'

type Command = Static<typeof PackageCommand>
type File = { path: string; size: number; sha256: string }
type Row = { id: string; manifest: PackageManifest | null; files: File[] }

export type PackageContent = { commands: Record<string, Command>; files: File[]; secretNames: string[] }

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
  const declared = manifest ? commandsOf(manifest) : {}
  const secretNames = manifest && 'secrets' in manifest && Array.isArray(manifest.secrets) ? manifest.secrets : []
  const commands = Object.fromEntries(Object.entries(declared).map(([name, command]) => [name, withDefaults(command)]))
  return { commands, files, secretNames: secretNames.map(String) }
}

function commandsOf(manifest: PackageManifest): Record<string, Command> {
  if ('commands' in manifest) return manifest.commands
  return manifest.kind === 'languagePack' ? languagePackCommands(manifest.image) : {}
}

function withDefaults(command: Command): Command {
  return { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [], ...command }
}
