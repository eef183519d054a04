import { type RawBuilder, sql } from 'kysely'
import { containing, literal } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, type Static } from '../../../platform/schema.ts'
import { Computer } from '../../computers/api/schemas.ts'
import { computerRows } from '../../computers/computer-rows.ts'
import { matchComputerIds } from '../../computers/match-computers.ts'
import { SoftwareSearchRequest } from './schemas.ts'

export const searchSoftware = operation({
  id: 'searchSoftware',
  route: 'POST /api/computer/software-search',
  summary: 'Search for computers on which all listed products are installed',
  description: 'Ordered by the id of the computer. The search uses the last inventory of each computer.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  query: closed(paging),
  body: SoftwareSearchRequest,
  returns: ok(pagedResultOf(Computer)),
  handle(call) {
    const { db, body } = call
    const [first, ...others] = body.products.map(computersWith)
    // A single product may match several times on one computer; an intersection removes such duplicates by itself.
    const all = others.length > 0 ? sql.join([first, ...others], sql` intersect `) : sql`${first} group by 1`
    return pageOf(call, computerRows(db), { columns: ['id'] }, matchComputerIds(db, sql`${all}`))
  },
})

type ProductFilter = Static<typeof SoftwareSearchRequest>['products'][number]

function computersWith({ productName, version }: ProductFilter): RawBuilder<{ computer_id: number }> {
  return sql`
    select installed.computer_id
    from installed_software installed join software_products product on product.id = installed.product_id
    where product.name ilike ${containing(productName)}
      ${version ? sql`and product.version ilike ${`${literal(version)}%`}` : sql``}`
}
