import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { Bios } from '../items.ts'
import { biosOf } from '../queries.ts'

export const getBios = operation({
  id: 'getBios',
  route: 'GET /api/computer/:id/inventory/bios',
  summary: 'Read the firmware of a computer; without an inventory, everything is null',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(Bios),
  problems: [computerNotFound],
  handle: ({ params, db }) => biosOf(db, params.id),
})
