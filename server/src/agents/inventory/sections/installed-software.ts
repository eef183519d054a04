import { sql } from 'kysely'
import { holdDictionaries } from '../../../domain/inventory/dictionaries.ts'
import { InstalledSoftware } from '../../../domain/inventory/items.ts'
import { listSection } from '../section.ts'

const most = 5000

/** The products that the fleet does not know yet are added, then the links that differ are changed. */
export const installedSoftware = listSection(
  'installedSoftware',
  InstalledSoftware,
  most,
  async (db, computerId, items) => {
    const told = sql`
      select distinct name, version, publisher from unnest(
        ${items.map((item) => item.productName)}::text[],
        ${items.map((item) => item.version)}::text[],
        ${items.map((item) => item.publisher)}::text[]
      ) as item (name, version, publisher)`
    await holdDictionaries(db)
    // Looked up first, because every attempt to insert uses up an id. In one order, so that two agents with the same
    // new products wait for each other and never both.
    await sql`
      insert into software_products (name, version, publisher)
      select name, version, publisher from (${told}) as told
      where not exists (
        select from software_products known
        where known.name = told.name and known.version is not distinct from told.version
          and known.publisher is not distinct from told.publisher)
      order by name, version, publisher
      on conflict on constraint software_products_name_version_publisher_key do nothing`.execute(db)
    await sql`
      with installed as materialized (
        select known.id
        from (${told}) as told
          join software_products known on known.name = told.name
            and known.version is not distinct from told.version
            and known.publisher is not distinct from told.publisher
      ), gone as (
        delete from installed_software
        where computer_id = ${computerId} and product_id not in (select id from installed)
      )
      insert into installed_software (computer_id, product_id)
      select ${computerId}, id from installed
      where id not in (select product_id from installed_software where computer_id = ${computerId})`.execute(db)
  },
)
