import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Static } from '../../../platform/schema.ts'
import { lockDictionariesShared } from '../dictionaries.ts'
import { InstalledSoftware } from '../items.ts'
import { listSection } from './section.ts'

const most = 5000

type Item = Static<typeof InstalledSoftware>

/** The products that the fleet does not know yet are added, then the links that differ are changed. */
export const installedSoftware = listSection(
  'installedSoftware',
  InstalledSoftware,
  most,
  async (db, computerId, items) => {
    await lockDictionariesShared(db)
    const products = await knownProducts(db, items)
    const unknown = items.filter((_, at) => products[at] === null)
    const added = unknown.length === 0 ? [] : await addProducts(db, unknown)
    // In the order of the index, which takes them faster.
    const ids = [...new Set([...products, ...added].filter((id) => id !== null))].toSorted((a, b) => a - b)
    await sql`
      with installed as materialized (
        select id from unnest(${ids}::integer[]) as installed (id)
      ), gone as (
        delete from installed_software
        where computer_id = ${computerId} and product_id not in (select id from installed)
      )
      insert into installed_software (computer_id, product_id)
      select ${computerId}, id from installed
      where id not in (select product_id from installed_software where computer_id = ${computerId})`.execute(db)
  },
)

/** The id of each product, null where the fleet does not know it. */
async function knownProducts(db: Database, items: readonly Item[]): Promise<(number | null)[]> {
  if (items.length === 0) return []
  const { rows } = await sql<{ ids: (number | null)[] }>`
    select array_agg(known.id order by item.place) as ids
    from ${told(items)}
      left join software_products known on known.name = item.name
        and known.version is not distinct from item.version
        and known.publisher is not distinct from item.publisher`.execute(db)
  return rows[0]?.ids ?? []
}

/** Looked up first, because every attempt to insert uses up an id. */
async function addProducts(db: Database, items: readonly Item[]): Promise<(number | null)[]> {
  // In one order, so that two agents with the same new products wait for each other and never both.
  await sql`
    insert into software_products (name, version, publisher)
    select distinct name, version, publisher from ${told(items)}
    order by name, version, publisher
    on conflict on constraint software_products_name_version_publisher_key do nothing`.execute(db)
  return knownProducts(db, items)
}

function told(items: readonly Item[]) {
  return sql`unnest(
    ${items.map((item) => item.productName)}::text[],
    ${items.map((item) => item.version)}::text[],
    ${items.map((item) => item.publisher)}::text[]
  ) with ordinality as item (name, version, publisher, place)`
}
