import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { DocumentPatch } from './patch-document.ts'

/**
 * Gives each patch the key under which it is stored. The id of an advisory is unique only among those of its publisher.
 * The first publisher that uses an id keeps it as key, as scans and catalogs know the patch by it; the keys of others name
 * the publisher.
 */
export async function assignKeys(db: Database, patches: readonly DocumentPatch[]): Promise<Map<DocumentPatch, string>> {
  const published = patches.filter(({ publisher }) => publisher !== undefined)
  const candidates = [...new Set(published.flatMap((patch) => [patch.key, toOwnKey(patch)]))]
  const { rows } = await sql<{ key: string; publisher: string | null }>`
    select lower(key) as key, publisher from patches
    where lower(key) in (select lower(candidate) from unnest(${candidates}::text[]) as candidate)`.execute(db)
  const publishers = new Map(rows.map(({ key, publisher }) => [key, publisher]))
  return new Map(
    patches.map((patch) => {
      const { key, publisher } = patch
      if (publisher === undefined) return [patch, key]
      const ownKey = toOwnKey(patch)
      const other = publishers.get(key.toLowerCase()) ?? publisher
      if (publishers.has(ownKey.toLowerCase()) || other !== publisher) return [patch, ownKey]
      publishers.set(key.toLowerCase(), publisher)
      return [patch, key]
    }),
  )
}

/** The key of a patch that names its publisher. */
const toOwnKey = ({ key, publisher = '' }: DocumentPatch) => `${key.slice(0, 120)} ${publisher.slice(0, 130)}`
