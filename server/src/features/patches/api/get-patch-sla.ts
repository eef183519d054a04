import { ok, operation } from '../../../platform/operation.ts'
import { getSla } from '../patch-sla.ts'
import { PatchSla } from './sla-schemas.ts'

export const getPatchSla = operation({
  id: 'getPatchSla',
  route: 'GET /api/patch-sla',
  summary: 'Get within how many days patches of each severity have to be installed',
  description: 'The SLA by which patch compliance is reported. It releases no patch: patch policies do.',
  role: 'pm.read',
  returns: ok(PatchSla),
  extension: true,
  handle: ({ db }) => getSla(db),
})
