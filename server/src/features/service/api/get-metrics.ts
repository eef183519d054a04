import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'

export const getMetrics = operation({
  id: 'getMetrics',
  route: 'GET /metrics',
  summary: 'Read the metrics of this node, in the text format of Prometheus',
  role: 'admin.manage',
  returns: ok(Type.String({ examples: ['muster_database_connections{state="open"} 4\n'] })),
  answerType: 'text/plain; version=0.0.4; charset=utf-8',
  handle: ({ services }) => services.metrics.render(),
})
