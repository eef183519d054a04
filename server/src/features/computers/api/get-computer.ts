import { ok, operation } from '../../../platform/operation.ts'
import { getComputerById } from '../computer-rows.ts'
import { computerNotFound } from '../computers.ts'
import { Computer, ComputerPath } from './schemas.ts'

export const getComputer = operation({
  id: 'getComputer',
  route: 'GET /api/computer/:id',
  summary: 'Read one computer',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(Computer),
  problems: [computerNotFound],
  // Agents make contact all the time; that must not get into the way of whoever edits the computer.
  unversioned: ['lastSeenUtc', 'inventoryDate'],
  handle: ({ params, db }) => getComputerById(db, params.id),
})
