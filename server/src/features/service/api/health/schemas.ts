import { closed, enumOf, Instant, nullable, Type } from '../../../../platform/schema.ts'

const check = closed(
  {
    name: Type.String({ examples: ['disk'] }),
    status: enumOf(['passed', 'warning', 'failed']),
    code: nullable(
      Type.String({ examples: ['DiskLow'], description: 'What is wrong, for programs; null if the check passes' }),
    ),
    detail: nullable(
      Type.String({
        examples: ['A disk of the service has little room left.'],
        description: 'The same as a sentence for people',
      }),
    ),
    sinceUtc: Instant,
  },
  { title: 'HealthCheckResult' },
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
