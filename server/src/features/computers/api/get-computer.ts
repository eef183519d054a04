import { ok, operation } from '../../../platform/operation.ts'
import { getComputerById } from '../computer-rows.ts'
import { computerNotFound } from '../computers.ts'
import { Computer, ComputerPath } from './schemas.ts'

export const getComputer = operation({
  id: 'getComputer',
  route: 'GET /api/computer/:id',
  summary: 'Get a computer',
  description:
    'The ETag covers everything except `lastSeenUtc`, `connectedNow` and `inventoryDate`, which agents update all the time. `ou` is the effective value of the variable DomainJoin.OuForComputerAccounts.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(Computer),
  problems: [computerNotFound],
  // Agents update these all the time. If they were part of the ETag, edits with If-Match would fail for no good reason.
  unversioned: ['lastSeenUtc', 'connectedNow', 'inventoryDate'],
  handle: ({ params, db }) => getComputerById(db, params.id),
})
