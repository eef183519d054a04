import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

export const foreignOrigin = problem('ForeignOrigin', 403, 'The request was made by a page of another origin.')

export const csrfTokenInvalid = problem(
  'CsrfTokenInvalid',
  403,
  'With a session, every change needs its token in the header X-CSRF-Token.',
)

/** Refuses what a page of another origin has made the browser send. Programs that are no browser send neither header. */
export function requireOwnOrigin({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): void {
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  const { origin } = headers
  // A proxy may end TLS without telling, so that the schemes need not be equal.
  const isForeign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
  if (isForeign || (site !== 'same-origin' && site !== 'none')) throw foreignOrigin()
}

/** A page of another origin cannot read the token, and so cannot send it, whatever else the browser adds by itself. */
export function requireCsrfToken({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>, token: string): void {
  if (method === 'GET' || method === 'HEAD') return
  const [given, expected] = [Buffer.from(String(headers['x-csrf-token'])), Buffer.from(token)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw csrfTokenInvalid()
}
