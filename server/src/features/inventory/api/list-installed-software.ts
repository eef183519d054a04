import { containing, literal } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { InstalledSoftware } from '../items.ts'

export const listInstalledSoftware = operation({
  id: 'listInstalledSoftware',
  route: 'GET /api/computer/:id/inventory/installed-software',
  summary: 'List the software that the last inventory found on a computer, by name',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    name: Type.Optional(text(255, 'Editor', 'Found anywhere in the name of the product')),
    version: Type.Optional(text(255, '4.2', 'What the version begins with')),
    publisher: Type.Optional(text(255, 'Contoso', 'Found anywhere in the publisher')),
  }),
  returns: ok(pagedResultOf(InstalledSoftware)),
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
