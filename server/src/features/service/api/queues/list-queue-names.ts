import { queueNames } from '../../../../jobs/queues.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { Type } from '../../../../platform/schema.ts'
import { QueueNameSchema } from './schemas.ts'

export const listQueueNames = operation({
  id: 'listQueueNames',
  route: 'GET /api/queues/names',
  summary: 'List the names of all queues',
  role: 'computer.read',
  returns: ok(Type.Array(QueueNameSchema)),
  handle: async () => [...queueNames],
})
