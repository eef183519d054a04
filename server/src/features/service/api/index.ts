import type { AnyOperation } from '../../../platform/operation.ts'
import { getMetrics } from './get-metrics.ts'
import { getSystem } from './get-system.ts'
import { getLiveness } from './health/get-liveness.ts'
import { getReadiness } from './health/get-readiness.ts'
import { listQueueEntries } from './queues/list-queue-entries.ts'
import { listQueueNames } from './queues/list-queue-names.ts'
import { whoAmI } from './who-am-i.ts'

export const serviceApi: readonly AnyOperation[] = [
  getSystem,
  listQueueEntries,
  listQueueNames,
  getMetrics,
  whoAmI,
  getLiveness,
  getReadiness,
]
