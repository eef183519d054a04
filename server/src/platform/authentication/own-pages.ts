import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

export const foreignOrigin = problem('ForeignOrigin', 403, 'The request was made by a page of another origin.')

export const csrfTokenInvalid = problem(
  'CsrfTokenInvalid',
  403,
  'With a session, every change needs its token in the header X-CSRF-Token.',
)

type OriginOfRequest = Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>

/** Refuses what a page of another origin has made the browser send. Programs that are no browser send neither header. */
export function requireOwnOrigin({ headers, protocol, host }: OriginOfRequest): void {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers
  // A proxy may end TLS without telling, so that the schemes need not be equal.
  const isForeign = origin !== undefined && hostOf(origin) !== hostOf(`${protocol}://${host}`)
  if (isForeign || (site !== 'same-origin' && site !== 'none')) throw foreignOrigin()
}

/** Without the port where it is the one of the scheme; null for what is no address, such as the origin `null`. */
function hostOf(address: string): string | null {
  return URL.parse(address)?.host ?? null
}

/** A page of another origin cannot read the token, and so cannot send it, whatever else the browser adds by itself. */
export function requireCsrfToken({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>, token: string): void {
  if (method === 'GET' || method === 'HEAD') return
  const [given, expected] = [Buffer.from(String(headers['x-csrf-token'])), Buffer.from(token)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw csrfTokenInvalid()
}
