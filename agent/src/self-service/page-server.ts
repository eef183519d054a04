import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AgentConnection } from '../user-channel/connect.ts'
import { type Answer, type Form, type PageParts, routes } from './routes.ts'

/** A token in the address works once, and not for long: addresses end up in histories. */
const tokenMs = 2 * 60_000
/** The page asks every few seconds while it is visible. */
const idleMs = 15 * 60_000
const maxBodyBytes = 16 * 1024
const maxHeaderBytes = 16 * 1024

export type PageServer = {
  /** Opens the page, once. */
  address: string
  /** When nobody has used the page for a while. */
  ended: Promise<void>
  close(): void
}

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // Without it, browsers would not say where a form comes from. Other hosts and ports learn nothing.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const newSecret = () => randomBytes(24).toString('base64url')

const isSame = (given: string, expected: string) =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))

/**
 * Serves the page to the browser of one user, on this computer only. Other users of the computer can connect, too, so everything
 * needs the cookie for which the browser has exchanged the token. Browsers send cookies to all ports of a host: the path of the page
 * is secret, and no other server on this computer gets the cookie.
 */
export async function servePage(
  agent: () => Promise<AgentConnection>,
  { tokenLifeMs = tokenMs, idleLimitMs = idleMs } = {},
): Promise<PageServer> {
  const [token, session, folder] = [newSecret(), newSecret(), `/s/${newSecret()}/`]
  let tokenEnds = performance.now() + tokenLifeMs
  const parts: PageParts = { agent, message: undefined }
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 30_000 }, (request, response) => {
    void answer(request)
      .catch((): Answer => ({ status: 500, body: '' }))
      .then((answered) => send(response, answered))
  })

  async function answer(request: IncomingMessage): Promise<Answer> {
    const origin = originOf(server)
    if (request.headers.host !== origin.slice('http://'.length)) return forbidden
    const url = new URL(request.url ?? '/', origin)
    if (request.method === 'GET' && url.pathname === '/open') return exchangeToken(url.searchParams.get('token') ?? '')
    if (!url.pathname.startsWith(folder) || !hasSession(request)) return forbidden
    keepAlive()
    const name = url.pathname.slice(folder.length)
    if (request.method === 'GET') return routes.get(parts, name, url, request.headers['accept-language'])
    if (request.method !== 'POST' || request.headers.origin !== origin) return forbidden
    const changed = await routes.post(parts, name, await readForm(request), languageOf(request, url))
    return changed ?? { status: 303, headers: { location: `${folder}${searchOf(request)}` }, body: '' }
  }

  function exchangeToken(given: string): Answer {
    const isValid = performance.now() < tokenEnds && isSame(given, token)
    if (!isValid) return forbidden
    tokenEnds = 0
    const cookie = `muster-session=${session}; HttpOnly; SameSite=Strict; Path=${folder}`
    // Not a redirect: that would belong to the navigation that began elsewhere, for which browsers keep strict cookies back.
    const body = `<!doctype html><html lang="en"><title>Muster</title><meta http-equiv="refresh" content="0;url=${folder}">`
    return { status: 200, headers: { 'set-cookie': cookie, 'content-type': 'text/html; charset=utf-8' }, body }
  }

  const hasSession = ({ headers: { cookie = '' } }: IncomingMessage) =>
    cookie.split(/;\s*/).some((one) => isSame(one, `muster-session=${session}`))

  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let idle: NodeJS.Timeout
  const keepAlive = () => {
    clearTimeout(idle)
    idle = setTimeout(close, idleLimitMs)
  }
  function close(): void {
    clearTimeout(idle)
    server.close()
    server.closeAllConnections()
    end()
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  keepAlive()
  return { address: `${originOf(server)}/open?token=${token}`, ended, close }
}

const forbidden: Answer = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Run muster-agent open again.\n',
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  response.writeHead(status, { ...securityHeaders, ...headers }).end(body)
}

async function readForm(request: IncomingMessage): Promise<Form> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new Error('The form is too large.')
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/** The page from which a form comes has the language and the filter in its address. */
function searchOf({ headers: { referer } }: IncomingMessage): string {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).search : ''
}

function languageOf(request: IncomingMessage, url: URL): { chosen: string | null; accepted: string | undefined } {
  const search = new URLSearchParams(searchOf(request))
  return { chosen: search.get('lang') ?? url.searchParams.get('lang'), accepted: request.headers['accept-language'] }
}
