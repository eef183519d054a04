import type { AccessTokens } from './authentication/access-tokens.ts'
import type { ServerKeys } from './authentication/server-keys.ts'
import type { Configuration } from './configuration.ts'
import type { FleetReads } from './fleet-reads.ts'
import type { Metrics } from './metrics.ts'
import type { Pressure } from './pressure.ts'
import type { RateLimit } from './rate-limit.ts'

/** What operations may use besides the database. */
export type Services = {
  configuration: Configuration
  tokens: AccessTokens
  keys: ServerKeys
  metrics: Metrics
  tokenRateLimit: RateLimit
  enrolmentRateLimit: RateLimit
  bootRateLimit: RateLimit
  pressure: Pressure
  fleetReads: FleetReads
}
