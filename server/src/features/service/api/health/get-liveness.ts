import { ok, operation } from '../../../../platform/operation.ts'
import { Liveness } from './schemas.ts'

export const getLiveness = operation({
  id: 'getLiveness',
  route: 'GET /health/live',
  summary: 'Check that the process answers',
  description:
    'For supervisors that restart a process that hangs. It says nothing about the database, because a restart does not ' +
    'repair one.',
  role: 'no token',
  returns: ok(Liveness),
  execution: { kind: 'WithoutDatabase' },
  extension: true,
  handle: async () => ({ status: 'alive' as const }),
})
