import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { batteryRows } from '../hardware.ts'
import { Battery } from './schemas.ts'

export const listBatteries = operation({
  id: 'listBatteries',
  route: 'GET /api/computer/:id/inventory/batteries',
  summary: 'List the batteries of a computer with their wear',
  description: 'Returns all batteries of the last inventory without paging.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(Type.Array(Battery)),
  problems: [computerNotFound],
  async handle({ params, db }) {
    await requireComputer(db, params.id)
    return batteryRows(db, params.id).orderBy('position').execute()
  },
})
