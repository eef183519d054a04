import { computerRows } from '../../../domain/computers/computer-rows.ts'
import { containing, literal } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../platform/schema.ts'
import { Computer } from '../schemas.ts'
import { SoftwareSearchRequest } from './schemas.ts'

export const searchSoftware = operation({
  id: 'searchSoftware',
  route: 'POST /api/computer/software-search',
  summary: 'Search the computers on which every one of the listed products is installed',
  role: 'computer.read',
  fleetWide: true,
  readonly: true,
  query: closed(paging),
  body: SoftwareSearchRequest,
  returns: ok(pagedResultOf(Computer)),
  async handle(call) {
    const { db, body } = call
    let found = db.selectFrom('computers').select('computers.id')
    for (const { productName, version } of body.products)
      found = found.where('computers.id', 'in', ({ selectFrom }) =>
        selectFrom('installed_software')
          .innerJoin('software_products', 'software_products.id', 'installed_software.product_id')
          .select('installed_software.computer_id')
          .where('software_products.name', 'ilike', containing(productName))
          .$if(Boolean(version), (named) =>
            named.where('software_products.version', 'ilike', `${literal(version ?? '')}%`),
          ),
      )
    return pageOf(call, computerRows(db), { columns: ['id'] }, { query: found, once: true })
  },
})
