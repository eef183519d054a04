import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { mountAgentChannel } from './channels/agent/index.ts'
import { mountDepotChannel } from './channels/depot/index.ts'
import { mountFusionChannel } from './channels/fusion/index.ts'
import { machineChannels } from './channels/index.ts'
import { mountPxeChannel } from './channels/pxe/index.ts'
import type { ConnectedDatabase, Database } from './database/connect.ts'
import { openWakeHub } from './features/agents/wake/wake-hub.ts'
import { toSections } from './features/api-sections.ts'
import { auditTrail } from './features/audit/audit-trail.ts'
import { changeGuard } from './features/blast-radius/guard-change.ts'
import { findQuarantinedAgent } from './features/enrolment/quarantine.ts'
import { asyncApiDocument } from './features/events/async-api.ts'
import { openEventHub } from './features/events/event-hub.ts'
import { asyncApiPath } from './features/events/schema-names.ts'
import { fleetGauges, readFleetSnapshot } from './features/fleet-history/gauges.ts'
import { operations as allOperations } from './features/index.ts'
import { openLastUse } from './features/principals/last-use.ts'
import { findByMetricsToken } from './features/principals/metrics-tokens.ts'
import { openPrincipalDirectory } from './features/principals/principal-directory.ts'
import { openSessions } from './features/principals/sessions.ts'
import { limitConnectionUse, openHttp } from './http-server.ts'
import { builtConsoleFolder } from './installation/files.ts'
import { openAccessTokens } from './platform/authentication/access-tokens.ts'
import { openAuthentication } from './platform/authentication/authenticate.ts'
import { openProviders } from './platform/authentication/identity-providers.ts'
import { openProviderTokens } from './platform/authentication/provider-tokens.ts'
import { openServerKeys } from './platform/authentication/server-keys.ts'
import { openSigningKeys, type SigningKeys } from './platform/authentication/signing-keys.ts'
import type { Configuration } from './platform/configuration.ts'
import { type ContactFlow, openContactFlow } from './platform/health/contact-flow.ts'
import { type Health, openHealth } from './platform/health/health.ts'
import { addHealth } from './platform/http/health-route.ts'
import { observeRequests } from './platform/http/observe-requests.ts'
import { openDownloadRates } from './platform/load/download-rates.ts'
import { openDownloads } from './platform/load/downloads.ts'
import { openFleetReads } from './platform/load/fleet-reads.ts'
import { openLongWork } from './platform/load/long-work.ts'
import { machineOf } from './platform/load/networks.ts'
import { openPlaces } from './platform/load/places.ts'
import { openPressure } from './platform/load/pressure.ts'
import { openRateLimit, openRateLimitStore, type RateLimitStore } from './platform/load/rate-limit.ts'
import { openResourceQueues } from './platform/load/resource-queues.ts'
import { openTurns, type Turns } from './platform/load/turns.ts'
import { openMetrics } from './platform/metrics/metrics.ts'
import { mount } from './platform/mount.ts'
import { apiChannel } from './platform/openapi/channel.ts'
import { addApiDescription, serveDocument } from './platform/openapi/serve.ts'
import type { AnyOperation } from './platform/operation.ts'
import type { Services } from './platform/services.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { mountWeb } from './web/index.ts'

export type App = {
  http: FastifyInstance
  services: Services
  signingKeys: SigningKeys
  /** Reloads what is cached from the database. Called after a backup was restored into it, or after keys were rotated. */
  reload(): Promise<void>
}

export type AppOptions = {
  database: ConnectedDatabase
  configuration: Configuration
  logger?: FastifyBaseLogger
  /** The operations to mount; all of the API by default. Tests pass others. */
  operations?: readonly AnyOperation[]
  /** By default, nothing is checked, and the node counts as ready. */
  health?: Health
  contactFlow?: ContactFlow
  /** By default, nothing is exported. */
  tracing?: Tracing | undefined
  /** Called after each request that may have changed something. */
  noteActivity?: () => void
  /** The folder with the console; the built one by default. Tests pass another. */
  consoleFolder?: string
}

/** Every page of the console that is open follows events, and each stream costs a check of its right every few seconds. */
const maxStreamsPerPrincipal = 100

/** Each request that sends bytes of an upload takes a share of the disk and the processor. */
const maxTransfers = 40
const maxTransfersPerPrincipal = 10

const silentLogger = { warn: () => {}, error: () => {} }

/** Builds the HTTP application from the operations and channels. */
export async function buildApp(options: AppOptions): Promise<App> {
  const {
    database,
    configuration,
    logger,
    tracing,
    operations = allOperations,
    consoleFolder = builtConsoleFolder,
  } = options
  const { health = openHealth([]), contactFlow = openContactFlow() } = options
  const { lanes } = database
  // In this order: opening the server keys also protects the signing keys with the key file.
  const keys = await openServerKeys(lanes.signIn.db, configuration.keyFile)
  const signingKeys = await openSigningKeys(lanes.signIn.db, configuration.keyFile)
  const pressure = openPressure(lanes.machines)
  const load = openLoadLimits(configuration)
  const hubs = openHubs(options, load.handOutTurns)
  const services: Services = {
    configuration,
    keys,
    tokens: openAccessTokens(signingKeys, configuration.tokenLifetimeSeconds),
    principals: openPrincipalDirectory(lanes.signIn.db),
    sessions: openSessions(keys, sessionLimits(configuration)),
    identityProviders: openProviders(configuration.identityProviders),
    metrics: openMetrics(database, health, load, {
      gauges: fleetGauges,
      read: () => readFleetSnapshot(lanes.reads.db),
    }),
    tracing,
    health,
    contactFlow,
    ...hubs,
    eventStreams: openPlaces({ max: Number.POSITIVE_INFINITY, maxPerShare: maxStreamsPerPrincipal, maxWaiting: 0 }),
    uploads: openPlaces({ max: maxTransfers, maxPerShare: maxTransfersPerPrincipal, maxWaiting: 0 }),
    ...openRateLimits(openRateLimitStore(lanes.signIn, logger), configuration),
    pressure,
    ...load,
    fleetReads: openFleetReads(lanes),
    resourceQueues: openResourceQueues(),
    longWork: openLongWork(lanes.longWork),
  }
  const http = await openHttp(configuration, logger, consoleFolder)
  http.addHook('onClose', async () => pressure.close())
  closeWith(http, hubs)
  observeRequests(http, { metrics: services.metrics, health, tracing, noteActivity: options.noteActivity })
  limitConnectionUse(http)
  addHealth(http, lanes.reads)
  const authenticate = openCallerSearch(services, lanes.signIn.db, logger)
  const parts = { lanes, services, auditTrail, changeGuard, authenticate }
  mount(http, operations, parts)
  mountDepotChannel(http, parts)
  mountAgentChannel(http, parts)
  mountFusionChannel(http, parts)
  mountPxeChannel(http, parts)
  await mountWeb(http, { ...parts, folder: consoleFolder })
  await addApiDescription(http, [apiChannel(toSections(operations)), ...machineChannels], configuration.mode)
  serveDocument(http, asyncApiPath, asyncApiDocument)
  return {
    http,
    services,
    signingKeys,
    async reload() {
      await keys.reload()
      await signingKeys.reload()
      services.tokens.clearCache()
    },
  }
}

/** Finds callers by tokens and sessions. */
function openCallerSearch(services: Services, db: Database, logger: FastifyBaseLogger | undefined) {
  return openAuthentication({
    ...services,
    db,
    lastUse: openLastUse(db, logger),
    findByMetricsToken: (token) => findByMetricsToken({ ...services, db }, token),
    providerTokens: openProviderTokens(services.identityProviders, services.principals),
  })
}

/** What keeps answers open: events for people and programs, calls for agents. */
function openHubs({ database: { lanes }, configuration, ...options }: AppOptions, turns: Turns) {
  const { db, pool } = lanes.background
  const logger = options.logger ?? silentLogger
  return {
    eventHub: openEventHub({ db: lanes.reads.db, pool, logger }),
    wakeHub: openWakeHub({
      db,
      pool,
      logger,
      turns,
      maxConnections: configuration.wakeConnections,
      isQuarantined: async (credential) => (await findQuarantinedAgent(db, credential))?.confirmedFor === null,
    }),
  }
}

function closeWith(http: FastifyInstance, { eventHub, wakeHub }: ReturnType<typeof openHubs>): void {
  // Before the server waits for the end of its requests, because streams do not end by themselves. It does not
  // wait for the database here: until then, the server would still accept connections.
  http.addHook('preClose', async () => {
    eventHub.endStreams()
    wakeHub.endConnections()
  })
  http.addHook('onClose', () => eventHub.close())
  http.addHook('onClose', () => wakeHub.close())
}

function openLoadLimits(configuration: Configuration) {
  const { handOutLatencyMs, agentDownloads, installerDownloads, depotDownloads, networkRates, workers } = configuration
  const downloads = {
    agents: openDownloads(agentDownloads),
    installers: openDownloads(installerDownloads, machineOf),
    depots: openDownloads(depotDownloads),
  }
  const downloadRates = openDownloadRates(networkRates, workers)
  return { handOutTurns: openTurns(handOutLatencyMs), downloads, downloadRates }
}

function openRateLimits(store: RateLimitStore, configuration: Configuration) {
  return {
    tokenRateLimit: openRateLimit(store, 'token', configuration.tokenRateLimit),
    enrolmentRateLimit: openRateLimit(store, 'enrolment', configuration.enrolmentRateLimit),
    bootRateLimit: openRateLimit(store, 'boot', configuration.bootRateLimit),
    jobRateLimit: openRateLimit(store, 'job', configuration.jobRateLimit),
    signInRateLimit: openRateLimit(store, 'sign-in', configuration.signInRateLimit),
  }
}

function sessionLimits({ sessionIdleMinutes, sessionHours, localSignIn, identityProviders }: Configuration) {
  const signInMethods = new Set<string | null>(identityProviders.map(({ name }) => name))
  if (localSignIn) signInMethods.add(null)
  return { idleMinutes: sessionIdleMinutes, hours: sessionHours, signInMethods }
}
