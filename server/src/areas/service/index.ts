import type { Area } from '../../platform/operation.ts'
import { getMetrics } from './get-metrics.ts'
import { whoAmI } from './who-am-i.ts'

export const service: Area = {
  name: 'Service Endpoints',
  description: 'The service itself: who is calling, and how it is doing.',
  operations: [getMetrics, whoAmI],
}
