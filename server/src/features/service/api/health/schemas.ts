import { closed, enumOf, Instant, nullable, Type } from '../../../../platform/schema.ts'

const check = closed(
  {
    name: Type.String({ examples: ['disk'] }),
    status: enumOf(['passed', 'warning', 'failed']),
    detail: nullable(
      Type.String({
        examples: ['A disk of the service has little room left.'],
        description: 'What is wrong, in a sentence; null if the check passes',
      }),
    ),
    sinceUtc: Instant,
  },
  { title: 'HealthCheck' },
)

export const Readiness = closed(
  {
    status: enumOf(['ready', 'degraded', 'unavailable'], {
      description: 'degraded: a check has a warning, and requests are answered. unavailable: a check failed.',
    }),
    checks: Type.Array(check),
  },
  { title: 'Readiness' },
)

export const Liveness = closed({ status: enumOf(['alive']) }, { title: 'Liveness' })
