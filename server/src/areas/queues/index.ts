import type { Area } from '../../platform/operation.ts'
import { listQueueEntries } from './list-queue-entries.ts'
import { listQueueNames } from './list-queue-names.ts'

export const queues: Area = {
  name: 'Queues',
  description: 'The background jobs of the service.',
  operations: [listQueueEntries, listQueueNames],
}
