import { Answer, operation } from '../../../../platform/operation.ts'
import { Readiness } from './schemas.ts'

const retryAfterSeconds = '2'

export const getReadiness = operation({
  id: 'getReadiness',
  route: 'GET /health/ready',
  summary: 'Check that this node can do its work',
  description:
    'For load balancers and monitoring. Answers 503 if a check failed, and 200 otherwise, even with warnings. The checks ' +
    'run in the background, so the answer comes at once and costs the database nothing. If the node has several workers, ' +
    'the answer is that of the worker that got the request.',
  role: 'no token',
  returns: { 200: Readiness, 503: Readiness },
  execution: { kind: 'WithoutDatabase' },
  extension: true,
  async handle({ services, setHeader }) {
    const report = services.health.report()
    if (report.status !== 'unavailable') return new Answer(200, report)
    setHeader('retry-after', retryAfterSeconds)
    return new Answer(503, report)
  },
})
