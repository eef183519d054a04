import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { requireBios } from '../bios-and-system.ts'
import { Bios } from '../items.ts'

export const getBios = operation({
  id: 'getBios',
  route: 'GET /api/computer/:id/inventory/bios',
  summary: 'Get the firmware of a computer',
  description: 'Every property is null until an inventory has reported it.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(Bios),
  problems: [computerNotFound],
  handle: ({ params, db }) => requireBios(db, params.id),
})
