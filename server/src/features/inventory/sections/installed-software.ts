import { sql } from 'kysely'
import { ensureEntries } from '../dictionaries.ts'
import { InstalledProductReport } from '../items.ts'
import { sourcesOf, storeSources } from '../software-sources.ts'
import { listSection } from './section.ts'

const maxProducts = 5000

/** Products are stored once for the whole fleet. A report adds new products, then changes only the links that differ. */
export const installedSoftwareSection = listSection({
  name: 'installedSoftware',
  item: InstalledProductReport,
  maxItems: maxProducts,
  async prepareChanges(db, computerId, products) {
    const reported = await ensureEntries(db, 'software_products', {
      name: products.map(({ productName }) => productName),
      version: products.map(({ version }) => version),
      publisher: products.map(({ publisher }) => publisher),
    })
    // Sorted, because inserting in the order of the index is faster.
    const ids = [...new Set(reported)].toSorted((a, b) => a - b)
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
        ...storeSources(computerId, sourcesOf(products, reported)),
      ],
    }
  },
})
