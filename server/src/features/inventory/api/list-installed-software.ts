import { containing, literal } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { InstalledProduct } from '../items.ts'

export const listInstalledSoftware = operation({
  id: 'listInstalledSoftware',
  route: 'GET /api/computer/:id/inventory/installed-software',
  summary: 'List the software installed on a computer',
  description: 'Ordered by name, as the last inventory found it. Filters ignore case and are combined with and.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    name: Type.Optional(text(255, 'Editor', 'A part of the product name')),
    version: Type.Optional(text(255, '4.2', 'The beginning of the version')),
    publisher: Type.Optional(text(255, 'Contoso', 'A part of the publisher')),
  }),
  returns: ok(pagedResultOf(InstalledProduct)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, query, db } = call
    await requireComputer(db, params.id)
    let products = db
      .selectFrom('installed_software')
      .innerJoin('software_products', 'software_products.id', 'installed_software.product_id')
      .select(['software_products.id as productId', 'name as productName', 'version', 'publisher'])
      .where('computer_id', '=', params.id)
    if (query.name) products = products.where('name', 'ilike', containing(query.name))
    if (query.version) products = products.where('version', 'ilike', `${literal(query.version)}%`)
    if (query.publisher) products = products.where('publisher', 'ilike', containing(query.publisher))
    return pageOf(call, products, { columns: ['productName', 'productId'] })
  },
})
