import { sql } from 'kysely'
import type { ReadContent } from './report-content.ts'

type Installed = {
  name: string
  publisher: string | null
  version: string | null
  computers: number
  total: number
}

/** Each version of installed software, and on how many computers it is. */
export const readSoftware: ReadContent = async (db, { computers }, maxRows) => {
  const { rows } = await sql<Installed>`
    select product.name, product.publisher, product.version, installed.computers, count(*) over ()::integer as total
    from (
      select product_id, count(*)::integer as computers from installed_software
      ${computers ? sql`where computer_id in (${computers})` : sql``} group by product_id
    ) as installed join software_products product on product.id = installed.product_id
    order by lower(product.name), product.publisher, product.version, product.id
    limit ${maxRows}`.execute(db)
  return [
    {
      title: 'Installed software',
      columns: [
        { name: 'product', title: 'Product', width: 5 },
        { name: 'publisher', title: 'Publisher', width: 3 },
        { name: 'version', title: 'Version', width: 2 },
        { name: 'computers', title: 'Computers', width: 1 },
      ],
      rows: rows.map(({ name, publisher, version, computers }) => [name, publisher, version, computers]),
      total: rows[0]?.total ?? 0,
    },
  ]
}
