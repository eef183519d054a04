import type { FastifyRequest } from 'fastify'
import type { ServerKeys } from '../platform/authentication/server-keys.ts'
import { openCookie } from '../platform/authentication/session-cookie.ts'
import { seal, unseal } from '../platform/sealing.ts'

/** What must come back from the provider, and what only this service may know until then. */
export type PendingSignIn = { provider: string; state: string; nonce: string; codeVerifier: string; expiresAt: number }

const lifetimeSeconds = 600
const pendingCookie = openCookie('muster_sign_in')
const keyOf = (keys: ServerKeys) => keys.deriveKey('sign-in under way')

/** The header Set-Cookie by which the browser keeps it, sealed. No server has to remember it. */
export function keepPendingSignIn(
  keys: ServerKeys,
  request: FastifyRequest,
  pending: Omit<PendingSignIn, 'expiresAt'>,
): string {
  const expiresAt = Date.now() + lifetimeSeconds * 1000
  const sealed = seal(keyOf(keys), JSON.stringify({ ...pending, expiresAt })).toString('base64url')
  return pendingCookie.set(request, sealed, lifetimeSeconds)
}

/** Undefined when the browser has none with this provider, or did not come back in time. */
export function readPendingSignIn(
  keys: ServerKeys,
  request: FastifyRequest,
  provider: string,
): PendingSignIn | undefined {
  const sealed = pendingCookie.read(request)
  if (sealed === undefined) return undefined
  try {
    const pending: PendingSignIn = JSON.parse(unseal(keyOf(keys), Buffer.from(sealed, 'base64url')))
    return pending.provider === provider && pending.expiresAt > Date.now() ? pending : undefined
  } catch {
    return undefined
  }
}

export function clearPendingSignIn(request: FastifyRequest): string {
  return pendingCookie.clear(request)
}
