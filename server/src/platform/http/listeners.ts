import type { Server as BootServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Configuration } from '../configuration.ts'
import { ConfigurationError } from '../configuration-error.ts'
import { type Certificate, isSameCertificate, readCertificate } from '../tls/certificate.ts'
import type { TlsSettings } from '../tls/tls-settings.ts'
import { listenForBoot } from './boot-listener.ts'
import { answerClientError, answerUnsupportedRequests, serverOptions } from './broken-requests.ts'
import { limitConnections } from './connection-limit.ts'
import { limitIdleConnections } from './idle-connections.ts'

export type Listeners = {
  addresses: string[]
  /** How many wake connections leave room for all others. */
  maxWakeConnections: number
  /** Reads certificate and key again. Open connections keep the old ones. */
  reloadCertificate(): Promise<void>
  /** The same if their files have changed. Returns whether they have. */
  reloadRenewedCertificate(): Promise<boolean>
  /** Accepts no more connections and finishes the requests in progress. */
  close(): Promise<void>
  /** Closes the connections whose requests are still in progress. */
  closeConnections(): void
}

/** `countWakeConnections` returns how many connections only wait for a call. */
export async function listen(
  app: FastifyInstance,
  configuration: Configuration,
  countWakeConnections: () => number = () => 0,
): Promise<Listeners> {
  const { host, port, plainHttp, tls, boot } = configuration
  if (!plainHttp && !tls)
    throw new ConfigurationError('MUSTER_PLAIN_HTTP=off requires MUSTER_TLS_CERT and MUSTER_TLS_KEY.')
  let isClosing = false
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close')
    done(null, payload)
  })
  sendStrictTransportSecurity(app)
  await app.ready()
  const secure = tls && (await listenSecurely(app, host, tls))
  const addresses = secure ? [formatAddress('https', secure.server)] : []
  if (plainHttp) {
    await app.listen({ host, port })
    addresses.unshift(formatAddress('http', app.server))
  }
  const bootServer = boot && (await listenForBoot(app, boot.host, boot.port))
  if (bootServer) addresses.push(`${formatAddress('http', bootServer)}/boot`)
  const others = [secure?.server, bootServer].filter((server) => server !== undefined)
  const servers = [...others, ...(plainHttp ? [app.server] : [])]
  const limit = limitConnections(servers, configuration.databaseConnections, countWakeConnections)
  if (bootServer) limitShare(bootServer, limit.maxConnections() * maxShareOfBoot)
  const stopLimiting = limitIdleConnections(servers, configuration.trustedProxies, limit.maxConnections)
  return {
    addresses,
    maxWakeConnections: limit.maxQuietConnections,
    reloadCertificate: async () => void (await secure?.reload()),
    reloadRenewedCertificate: async () => (await secure?.reloadIfRenewed()) ?? false,
    async close() {
      isClosing = true
      stopLimiting()
      const closed = others.map((server) => new Promise((resolve) => server.close(resolve)))
      await app.close()
      await Promise.all(closed)
    },
    closeConnections() {
      for (const server of [app.server, ...others]) server.closeAllConnections()
    },
  }
}

/** Computers that boot, and attackers in their network, must not take the connections of agents and people. */
const maxShareOfBoot = 1 / 4

function limitShare(server: BootServer & { dropMaxConnection?: boolean }, max: number): void {
  if (!Number.isFinite(max)) return
  server.maxConnections = Math.ceil(max)
  // Otherwise a full worker would return the connection to the primary process, which would offer it again at once.
  server.dropMaxConnection = true
}

const oneYearSeconds = 31_536_000

/** Browsers that have seen the service over HTTPS never use it in the clear, even if somebody sends them a link. */
function sendStrictTransportSecurity(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https') void reply.header('strict-transport-security', `max-age=${oneYearSeconds}`)
    done()
  })
}

type SecureListener = { server: Server; reload(): Promise<void>; reloadIfRenewed(): Promise<boolean> }

async function listenSecurely(app: FastifyInstance, host: string, tls: TlsSettings): Promise<SecureListener> {
  let current = await readCertificate(tls)
  const options = {
    ...serverOptions,
    ...current,
    // Connections without a valid client certificate are accepted, because only some machines have one.
    requestCert: tls.clientAuthorityFile !== undefined,
    rejectUnauthorized: false,
  }
  const server = createServer(options, (request, response) => app.routing(request, response))
  server.on('clientError', answerClientError)
  answerUnsupportedRequests(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(tls.port, host, resolve)
  })
  const use = (certificate: Certificate) => {
    server.setSecureContext(certificate)
    current = certificate
  }
  return {
    server,
    reload: async () => use(await readCertificate(tls)),
    async reloadIfRenewed() {
      const found = await readCertificate(tls)
      if (isSameCertificate(current, found)) return false
      use(found)
      return true
    },
  }
}

function formatAddress(scheme: string, server: { address(): string | AddressInfo | null }): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
