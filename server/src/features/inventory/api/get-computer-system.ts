import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { ComputerSystem } from '../items.ts'

export const getComputerSystem = operation({
  id: 'getComputerSystem',
  route: 'GET /api/computer/:id/inventory/computer-system',
  summary: 'Get the manufacturer and model of a computer',
  description: 'Both properties are null until an inventory has reported them.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(ComputerSystem),
  problems: [computerNotFound],
  async handle({ params, db }) {
    const found = await db
      .selectFrom('computers')
      .select(['manufacturer', 'model'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (!found) throw computerNotFound({ clientId: params.id })
    return found
  },
})
