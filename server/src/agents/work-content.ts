import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { PackageCommand, PackageManifest } from '../domain/packages/manifest.ts'
import type { Static } from '../platform/schema.ts'

type Command = Static<typeof PackageCommand>
type File = { path: string; size: number; sha256: string }
type Row = { manifest: PackageManifest | null; files: File[] }

const silentMinutes = 5

/** What is to be run and what has to be there for it. */
export async function packageContent(db: Database, packageId: string) {
  const { rows } = await sql<Row>`
    select packages.manifest, (
      select coalesce(jsonb_agg(
        jsonb_build_object('path', path, 'size', size, 'sha256', encode(sha256, 'hex')) order by path), '[]')
      from package_files where package_id = packages.id) as files
    from packages where id = ${packageId}`.execute(db)
  const { manifest = null, files = [] } = rows[0] ?? {}
  const given: Record<string, Command> = manifest && 'commands' in manifest ? manifest.commands : {}
  const secretNames = manifest && 'secrets' in manifest && Array.isArray(manifest.secrets) ? manifest.secrets : []
  const commands = Object.fromEntries(Object.entries(given).map(([name, command]) => [name, complete(command)]))
  return { commands, files, secretNames: secretNames.map(String) }
}

function complete(command: Command): Command {
  return { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [], ...command }
}

/** The depots that the groups of the computer name, in their order, as far as they were heard of lately. */
export async function depotUrls(db: Database, clientId: number): Promise<{ url: string }[]> {
  const { rows } = await sql<{ url: string }>`
    select depots.url
    from (
      select distinct on (listed.computer_id) listed.computer_id, g.tree <> 'ConfigurationGroups' as is_later, g.path,
        listed.priority
      from group_computers member
        join groups g on g.id = member.group_id
        join group_depot_servers listed on listed.group_id = g.id
      where member.computer_id = ${clientId}
      order by listed.computer_id, is_later, g.path collate "C", listed.priority
    ) as near
      join depots on depots.computer_id = near.computer_id
      join computers on computers.id = near.computer_id and computers.role = 'DepotServer'
    where depots.url is not null and depots.heartbeat_at > now() - ${sql.lit(silentMinutes)} * interval '1 minute'
    order by near.is_later, near.path collate "C", near.priority`.execute(db)
  return rows
}
