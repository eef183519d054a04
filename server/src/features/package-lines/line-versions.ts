import { compareVersions, compositeKey } from '@muster/text'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export const linePlatforms = ['Windows', 'Linux', 'Any'] as const

export type LinePlatform = (typeof linePlatforms)[number]

/** A version of a package line. */
export type LineVersion = {
  id: string
  name: string
  lineKey: string
  /** The name that a person gave the line; null: that of the package. */
  lineName: string | null
  version: string | null
  revision: string | null
  os: string[]
  operational: boolean
  hashState: 'None' | 'Current' | 'Mismatch'
  importedAtUtc: Date
}

/** The versions of one software for one platform. */
export type PackageLine = { key: string; platform: LinePlatform; versions: LineVersion[] }

/** Software that runs in the operating system: other kinds are replaced in other ways. */
const isInLine = sql<boolean>`kind = 'Software' and not is_pre_os and line_key is not null`

/**
 * Lists package lines by the name of their newest version. Packages are versions of one line if they have the same name in the
 * manifest, or the same name that a person gave their line, and are for the same platform. There are some thousand packages at most.
 */
export async function listLines(db: Database, condition: RawBuilder<boolean> = sql`true`): Promise<PackageLine[]> {
  const { rows } = await sql<LineVersion>`
    select id, name, line_key as "lineKey", line_name as "lineName", version, revision, operating_systems as os,
      is_operational as operational, hash_state as "hashState", imported_at as "importedAtUtc"
    from packages where ${isInLine} and ${condition}`.execute(db)
  const lines = Map.groupBy(rows, ({ lineKey, os }) => compositeKey(lineKey, platformOf(os)))
  return [...lines.values()]
    .map((versions) => toLine(versions))
    .toSorted((a, b) => compareTexts(newestName(a), newestName(b)) || compareTexts(a.platform, b.platform))
}

/** The line of a package; undefined if it has none. */
export async function findLineOf(db: Database, packageId: string): Promise<PackageLine | undefined> {
  const lines = await listLines(db, sql`line_key = (select line_key from packages where id = ${packageId})`)
  return lines.find(({ versions }) => versions.some(({ id }) => id === packageId))
}

function toLine(versions: LineVersion[]): PackageLine {
  const newestFirst = versions.toSorted((a, b) => compareLineVersions(b, a))
  const [{ lineKey, os } = { lineKey: '', os: [] }] = newestFirst
  return { key: lineKey, platform: platformOf(os), versions: newestFirst }
}

/** By version, then by revision. Of packages that only differ in their operating systems, the later import is newer. */
function compareLineVersions(one: LineVersion, other: LineVersion): number {
  return (
    compareVersions(one.version ?? '', other.version ?? '') ||
    compareVersions(one.revision ?? '', other.revision ?? '') ||
    one.importedAtUtc.getTime() - other.importedAtUtc.getTime() ||
    compareTexts(one.id, other.id)
  )
}

/** The versions of the line before a given one, the newest first. */
export function listOlder({ versions }: PackageLine, than: string): LineVersion[] {
  return versions.slice(versions.findIndex(({ id }) => id === than) + 1)
}

/** Names of systems are those that agents report: Windows and its versions, and distributions of Linux. */
function platformOf(os: readonly string[]): LinePlatform {
  const windows = os.filter((name) => /^windows/i.test(name)).length
  if (os.length === 0 || (windows > 0 && windows < os.length)) return 'Any'
  return windows > 0 ? 'Windows' : 'Linux'
}

const newestName = ({ versions }: PackageLine) => versions[0]?.name.toLowerCase() ?? ''

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/** Name and version, for people. */
export const formatLineVersion = ({ name, version, revision }: Pick<LineVersion, 'name' | 'version' | 'revision'>) =>
  [name, version, revision && `(${revision})`].filter(Boolean).join(' ')
