import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Configuration } from '../configuration.ts'
import { ConfigurationError } from '../configuration-error.ts'
import { answerClientError, answerOddRequests, serverOptions } from './broken-requests.ts'

export type Listeners = {
  addresses: string[]
  /** Reads certificate and key again; connections that are open keep the old ones. */
  reloadCertificate(): Promise<void>
  /** Takes no new connections, finishes the requests that are under way, as far as that can be waited for. */
  close(): Promise<void>
}

// Below the ten seconds after which containers are killed, with some left to stop the database.
const longestDrain = 7_000

export async function listen(app: FastifyInstance, configuration: Configuration): Promise<Listeners> {
  const { host, port, plainHttp, tls } = configuration
  if (!plainHttp && !tls)
    throw new ConfigurationError('MUSTER_PLAIN_HTTP=off needs MUSTER_TLS_CERT and MUSTER_TLS_KEY.')
  let isClosing = false
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close')
    done(null, payload)
  })
  await app.ready()
  const secure = tls && (await listenSecurely(app, host, tls))
  const addresses = secure ? [addressOf('https', secure)] : []
  if (plainHttp) {
    await app.listen({ host, port })
    addresses.unshift(addressOf('http', app.server))
  }
  return {
    addresses,
    async reloadCertificate() {
      if (tls) secure?.setSecureContext(await certificate(tls))
    },
    async close() {
      isClosing = true
      const deadline = setTimeout(() => {
        app.server.closeAllConnections()
        secure?.closeAllConnections()
      }, longestDrain)
      const closed = secure && new Promise((resolve) => secure.close(resolve))
      await app.close()
      await closed
      clearTimeout(deadline)
    },
  }
}

async function listenSecurely(
  app: FastifyInstance,
  host: string,
  tls: NonNullable<Configuration['tls']>,
): Promise<Server> {
  const options = {
    ...serverOptions,
    ...(await certificate(tls)),
    // Whoever has none, or a wrong one, may still come in: only some machines have one at all.
    requestCert: tls.clientAuthorityFile !== undefined,
    rejectUnauthorized: false,
  }
  const server = createServer(options, (request, response) => app.routing(request, response))
  server.on('clientError', answerClientError)
  answerOddRequests(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(tls.port, host, resolve)
  })
  return server
}

async function certificate({ certificateFile, keyFile, clientAuthorityFile }: NonNullable<Configuration['tls']>) {
  const [cert, key] = await Promise.all([readFile(certificateFile), readFile(keyFile)])
  return { cert, key, ...(clientAuthorityFile && { ca: await readFile(clientAuthorityFile) }) }
}

function addressOf(scheme: string, server: { address(): string | AddressInfo | null }): string {
  const { address, family, port } = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
