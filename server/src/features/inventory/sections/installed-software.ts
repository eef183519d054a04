import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { executePrepared } from '../../../database/prepared-statements.ts'
import type { Static } from '../../../platform/schema.ts'
import { InstalledProduct } from '../items.ts'
import { listSection } from './section.ts'

const maxProducts = 5000

type Product = Static<typeof InstalledProduct>

/** Products are stored once for the whole fleet. A report adds new products, then changes only the links that differ. */
export const installedSoftwareSection = listSection({
  name: 'installedSoftware',
  item: InstalledProduct,
  maxItems: maxProducts,
  hasDictionary: true,
  async prepareChanges(db, computerId, products) {
    const found = await findProductIds(db, products)
    const missing = products.filter((_, at) => found[at] === null)
    const inserted = missing.length === 0 ? [] : await insertProducts(db, missing)
    // Sorted, because inserting in the order of the index is faster.
    const ids = [...new Set([...found, ...inserted].filter((id) => id !== null))].toSorted((a, b) => a - b)
    return {
      ctes: [
        sql`
          installed as materialized (
            select id from unnest(${ids}::integer[]) as product (id)
          )`,
        sql`
          gone_software as (
            delete from installed_software
            where computer_id = ${computerId} and product_id not in (select id from installed)
          )`,
        sql`
          new_software as (
            insert into installed_software (computer_id, product_id)
            select ${computerId}, id from installed
            where id not in (select product_id from installed_software where computer_id = ${computerId})
          )`,
      ],
    }
  },
})

/** The id of each product, or null for a product that is new to the fleet. */
async function findProductIds(db: Database, products: readonly Product[]): Promise<(number | null)[]> {
  if (products.length === 0) return []
  const { rows } = await executePrepared(
    db,
    sql<{ ids: (number | null)[] }>`
      select array_agg(stored.id order by item.place) as ids
      from ${unnestProducts(products, 'item')}
        left join software_products stored on stored.name = item.name
          and stored.version is not distinct from item.version
          and stored.publisher is not distinct from item.publisher`,
  )
  return rows[0]?.ids ?? []
}

/** Inserts only products that were looked up before, because every attempt to insert uses up an id. */
async function insertProducts(db: Database, products: readonly Product[]): Promise<(number | null)[]> {
  // In a fixed order so that two agents with the same new products cannot deadlock.
  await sql`
    insert into software_products (name, version, publisher)
    select distinct name, version, publisher from ${unnestProducts(products, 'item')}
    order by name, version, publisher
    on conflict on constraint software_products_name_version_publisher_key do nothing`.execute(db)
  return findProductIds(db, products)
}

type ProductRow = { name: string; version: string | null; publisher: string | null; place: number }

function unnestProducts(products: readonly Product[], alias: string): RawBuilder<ProductRow> {
  return sql<ProductRow>`unnest(
    ${products.map(({ productName }) => productName)}::text[],
    ${products.map(({ version }) => version)}::text[],
    ${products.map(({ publisher }) => publisher)}::text[]
  ) with ordinality as ${sql.ref(alias)} (name, version, publisher, place)`
}
