import type { AccessTokens } from './authentication/access-tokens.ts'
import type { Providers } from './authentication/identity-providers.ts'
import type { PrincipalDirectory } from './authentication/principals.ts'
import type { ServerKeys } from './authentication/server-keys.ts'
import type { Sessions } from './authentication/sessions.ts'
import type { Configuration } from './configuration.ts'
import type { EventHub } from './event-hub.ts'
import type { ContactFlow } from './health/contact-flow.ts'
import type { Health } from './health/health.ts'
import type { WakeHub } from './http/wake-hub.ts'
import type { DownloadRates } from './load/download-rates.ts'
import type { Downloads } from './load/downloads.ts'
import type { FleetReads } from './load/fleet-reads.ts'
import type { LongWork } from './load/long-work.ts'
import type { Places } from './load/places.ts'
import type { Pressure } from './load/pressure.ts'
import type { RateLimit } from './load/rate-limit.ts'
import type { ResourceQueues } from './load/resource-queues.ts'
import type { Turns } from './load/turns.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Tracing } from './tracing/tracing.ts'

/** What handlers may use besides the database. */
export type Services = {
  configuration: Configuration
  tokens: AccessTokens
  keys: ServerKeys
  principals: PrincipalDirectory
  sessions: Sessions
  identityProviders: Providers
  metrics: Metrics
  /** Set if spans are exported. */
  tracing?: Tracing | undefined
  health: Health
  eventHub: EventHub
  /** What principals follow events with. Each has a limited number of places on this process. */
  eventStreams: Places
  /** Requests that send bytes of uploads. Each principal has a limited number of places on this process. */
  uploads: Places
  /** The connections on which agents wait to be asked for a contact. */
  wakeHub: WakeHub
  contactFlow: ContactFlow
  tokenRateLimit: RateLimit
  enrolmentRateLimit: RateLimit
  bootRateLimit: RateLimit
  jobRateLimit: RateLimit
  signInRateLimit: RateLimit
  pressure: Pressure
  /** The turns of agents that ask for work. */
  handOutTurns: Turns
  /** What agents, depots and computers without an agent download from this process. */
  downloads: { agents: Downloads; depots: Downloads; installers: Downloads }
  /** How fast they do so. */
  downloadRates: DownloadRates
  fleetReads: FleetReads
  longWork: LongWork
  resourceQueues: ResourceQueues
}
