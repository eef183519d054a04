import type { FastifyRequest } from 'fastify'
import type { ServerKeys } from '../platform/authentication/server-keys.ts'
import { openCookie } from '../platform/authentication/session-cookie.ts'
import { seal, unseal } from '../platform/sealing.ts'

/** What the service has to remember between the redirect to the provider and the return from it. */
export type PendingSignIn = { provider: string; state: string; nonce: string; codeVerifier: string; expiresAt: number }

const lifetimeSeconds = 600
const pendingCookie = openCookie('muster_sign_in')
const sealingKey = (keys: ServerKeys) => keys.deriveKey('sign-in under way')

/** The value for the header Set-Cookie. The browser stores the pending sign-in encrypted so that no node has to. */
export function setPendingSignIn(
  keys: ServerKeys,
  request: FastifyRequest,
  pending: Omit<PendingSignIn, 'expiresAt'>,
): string {
  const expiresAt = Date.now() + lifetimeSeconds * 1000
  const sealed = seal(sealingKey(keys), JSON.stringify({ ...pending, expiresAt })).toString('base64url')
  return pendingCookie.set(request, sealed, lifetimeSeconds)
}

/** Undefined if the browser has no pending sign-in with this provider or returned too late. */
export function readPendingSignIn(
  keys: ServerKeys,
  request: FastifyRequest,
  provider: string,
): PendingSignIn | undefined {
  const sealed = pendingCookie.read(request)
  if (sealed === undefined) return undefined
  try {
    const pending: PendingSignIn = JSON.parse(unseal(sealingKey(keys), Buffer.from(sealed, 'base64url')))
    return pending.provider === provider && pending.expiresAt > Date.now() ? pending : undefined
  } catch {
    return undefined
  }
}

export function clearPendingSignIn(request: FastifyRequest): string {
  return pendingCookie.clear(request)
}
