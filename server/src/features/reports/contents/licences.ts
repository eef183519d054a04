import { sql } from 'kysely'
import type { ReadContent } from './report-content.ts'

type Counted = { name: string; pattern: string; owned: number; installed: number; total: number }

/** How many computers have the software of each licence, and how many may have it. */
export const readLicences: ReadContent = async (db, { computers }, maxRows) => {
  const { rows } = await sql<Counted>`
    select licence.name, licence.product_pattern as pattern, licence.owned, (
        select count(distinct installed.computer_id)::integer
        from software_products product join installed_software installed on installed.product_id = product.id
        where product.name ilike (like_patterns(array[licence.product_pattern]))[1]
          ${computers ? sql`and installed.computer_id in (${computers})` : sql``}
      ) as installed, count(*) over ()::integer as total
    from licences licence order by lower(licence.name), licence.id limit ${maxRows}`.execute(db)
  return [
    {
      title: 'Licences',
      columns: [
        { name: 'licence', title: 'Licence', width: 4 },
        { name: 'product', title: 'Product', width: 4 },
        { name: 'owned', title: 'Owned', width: 1 },
        { name: 'installed', title: 'Installed', width: 1 },
        { name: 'free', title: 'Free', width: 1 },
        { name: 'state', title: 'State', width: 1.2 },
      ],
      rows: rows.map(({ name, pattern, owned, installed }) => [
        name,
        pattern,
        owned,
        installed,
        owned - installed,
        installed > owned ? 'Exceeded' : 'Within',
      ]),
      total: rows[0]?.total ?? 0,
    },
  ]
}
