import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { productIds, type SelectedSoftware } from '../software/find-products.ts'
import type { ComputerFilter } from './filter.ts'

const maxWords = 10

/** Shorter words occur in nearly all names of software, so they say nothing about a computer. */
const minSoftwareWord = 3

/** With more products than this, it is faster to look at the software of each computer than at all their installations. */
const maxRareProducts = 100

/** The condition that the computer of a row `summary` matches the search and has the selected software. */
export async function matchesSearch(
  db: Database,
  { search }: ComputerFilter,
  software: SelectedSoftware,
): Promise<RawBuilder<boolean>> {
  return sql<boolean>`${await matchesWords(db, search)} and ${hasSoftware(software)}`
}

/**
 * `is true` keeps the planner from making a join of it, as in `isMember`: the computers with the software are read once into a hash
 * table.
 */
function hasSoftware(software: SelectedSoftware): RawBuilder<boolean> {
  if (!software) return sql<boolean>`true`
  return sql<boolean>`(summary.computer_id in (
    select computer_id from installed_software where product_id = any (${productIds(software)}::integer[]))) is true`
}

/**
 * The condition that the computer of a row `summary` matches every word of the search. Reads the dictionary of software
 * first: which plan is fast depends on how many products match.
 */
async function matchesWords(db: Database, search: string | undefined): Promise<RawBuilder<boolean>> {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '')
  if (words.length > maxWords) throw invalidPart('query', 'search', `must not have more than ${maxWords} words`)
  const products = await findProducts(db, words)
  const conditions = words.map((word) => matchesWord(word, products.get(word) ?? []))
  return sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/** The products whose names contain each word. */
async function findProducts(db: Database, words: readonly string[]): Promise<Map<string, number[]>> {
  const searched = [...new Set(words)].filter((word) => [...word].length >= minSoftwareWord)
  if (searched.length === 0) return new Map()
  const matches = searched.map(
    (word) => sql`
      select ${word}::text as word, array(
        select id from software_products where name ilike ${containing(word)}) as ids`,
  )
  const { rows } = await sql<{ word: string; ids: number[] }>`${sql.join(matches, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ word, ids }) => [word, ids]))
}

function matchesWord(word: string, productIds: number[]): RawBuilder<boolean> {
  const pattern = containing(word)
  const isRare = productIds.length <= maxRareProducts
  const found = [
    sql`select id from computers
      where name ilike ${pattern} or mac_address ilike ${pattern} or ip_address ilike ${pattern}
        or reported_ip_address ilike ${pattern}`,
    sql`select computer_id from bios_records where serial_number ilike ${pattern}`,
    sql`select computer_id from agents where logged_on_user ilike ${pattern}`,
    ...(isRare && productIds.length > 0
      ? [sql`select computer_id from installed_software where product_id = any (${productIds}::integer[])`]
      : []),
  ]
  const isFound = sql<boolean>`summary.computer_id in (${sql.join(found, sql` union all `)})`
  if (isRare) return isFound
  return sql<boolean>`(${isFound} or exists (
    select from installed_software installed
    where installed.computer_id = summary.computer_id and installed.product_id = any (${productIds}::integer[])))`
}
