import { containing, literal } from '../../../platform/like-pattern.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, text } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { WindowsService } from '../items.ts'

export const listServices = operation({
  id: 'listServices',
  route: 'GET /api/computer/:id/inventory/services',
  summary: 'List the services of a computer',
  description: 'Ordered by name, as the last inventory found them. Filters ignore case and are combined with and.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    ...paging,
    status: Type.Optional(text(255, 'Running', 'The exact status')),
    name: Type.Optional(text(255, 'spool', 'A part of the name or of the display name')),
  }),
  returns: ok(pagedResultOf(WindowsService)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, query, db } = call
    await requireComputer(db, params.id)
    let services = db
      .selectFrom('computer_services')
      .innerJoin('service_definitions', 'service_definitions.id', 'computer_services.definition_id')
      .select(['service_definitions.id as definitionId', 'name', 'display_name as displayName', 'status'])
      .select(['start_mode as startMode', 'account'])
      .where('computer_id', '=', params.id)
    const { status, name } = query
    if (status) services = services.where('status', 'ilike', literal(status))
    if (name)
      services = services.where(({ or, eb }) =>
        or([eb('name', 'ilike', containing(name)), eb('display_name', 'ilike', containing(name))]),
      )
    return pageOf(call, services, { columns: ['name', 'definitionId'] })
  },
})
