import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

export const foreignOrigin = problem('ForeignOrigin', 403, 'A page of another origin sent the request.')

export const csrfTokenInvalid = problem(
  'CsrfTokenInvalid',
  403,
  'Changes with a session require its token in the header X-CSRF-Token.',
)

type OriginOfRequest = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>

/** Refuses requests that a page of another origin made the browser send. Other programs send neither header. */
export function requireOwnOrigin(request: OriginOfRequest): void {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers
  if (isForeign(request, origin) || (site !== 'same-origin' && site !== 'none')) throw foreignOrigin()
}

/**
 * Whether a page of another origin made the browser open this address. Browsers name the site only over TLS and on the same
 * machine; otherwise the page is known by the header Referer, which it can leave out.
 */
export function isForeignNavigation(request: OriginOfRequest): boolean {
  const { 'sec-fetch-site': site, referer } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return isForeign(request, referer)
}

/** Only hosts are compared: behind a proxy that terminates TLS, the schemes differ. */
function isForeign({ protocol, host }: OriginOfRequest, address: string | undefined): boolean {
  return address !== undefined && hostOf(address) !== hostOf(`${protocol}://${host}`)
}

/** The host without the default port of its scheme; null for an invalid URL such as the origin `null`. */
function hostOf(address: string): string | null {
  return URL.parse(address)?.host ?? null
}

/** Browsers may add the session cookie to requests of other origins, but pages of other origins cannot read this token. */
export function requireCsrfToken({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>, token: string): void {
  if (method === 'GET' || method === 'HEAD') return
  const [given, expected] = [Buffer.from(String(headers['x-csrf-token'])), Buffer.from(token)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw csrfTokenInvalid()
}
