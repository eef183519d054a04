import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'

export const getMetrics = operation({
  id: 'getMetrics',
  route: 'GET /metrics',
  summary: 'Get the metrics of this node',
  description:
    'In the text format of Prometheus. If the node has several workers, their metrics are added up. The role `metrics.read` suffices, and a metrics token, which does not expire after an hour, in place of an access token.',
  role: 'admin.manage',
  readerRole: 'metrics.read',
  acceptsMetricsTokens: true,
  returns: ok(Type.String({ examples: ['muster_database_connections{state="open"} 4\n'] })),
  answerType: 'text/plain; version=0.0.4; charset=utf-8',
  handle: ({ services }) => services.metrics.render(),
})
