import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { findSelectedSoftware, type SoftwareFilter } from './find-products.ts'
import { compareNewestFirst } from './version-condition.ts'

export type SoftwareVersion = { name: string; version: string | null; publisher: string | null; computers: number }

export type SoftwareVersions = { computers: number; unknownVersions: number; versions: SoftwareVersion[] }

/** The versions that meet the filter, each with the number of its computers, by name and then the newest first. */
export async function countSoftwareVersions(db: Database, filter: SoftwareFilter): Promise<SoftwareVersions> {
  const { products, unknown } = (await findSelectedSoftware(db, filter)) ?? { products: [], unknown: 0 }
  const ids = products.map(({ id }) => id)
  const { rows } = await sql<{ product_id: number | null; computers: number }>`
    select product_id, count(*)::integer as computers
    from installed_software where product_id = any (${ids}::integer[]) group by product_id
    union all
    select null, count(distinct computer_id)::integer
    from installed_software where product_id = any (${ids}::integer[])`.execute(db)
  const counts = new Map(rows.map(({ product_id, computers }) => [product_id, computers]))
  const versions = products
    .map(({ id, ...product }) => ({ ...product, computers: counts.get(id) ?? 0 }))
    .filter(({ computers }) => computers > 0)
    .sort(
      (one, other) =>
        compareTexts(one.name.toLowerCase(), other.name.toLowerCase()) ||
        compareNewestFirst(one.version, other.version, one.order) ||
        compareTexts(one.publisher ?? '', other.publisher ?? ''),
    )
  return {
    computers: counts.get(null) ?? 0,
    unknownVersions: unknown,
    versions: versions.map(({ order: _, ...version }) => version),
  }
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/** Names of installed software that contain every word: first those that begin with the text, then the shortest. */
export async function findSoftwareNames(db: Database, search: string, top: number): Promise<string[]> {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const conditions = words.map((word) => sql`name ilike ${containing(word)}`)
  const { rows } = await sql<{ name: string }>`
    select name from software_products where ${sql.join([sql`true`, ...conditions], sql` and `)}
    group by name
    order by starts_with(lower(name), lower(${search.normalize('NFC').trim()})) desc, length(name), lower(name), name
    limit ${top}`.execute(db)
  return rows.map(({ name }) => name)
}
