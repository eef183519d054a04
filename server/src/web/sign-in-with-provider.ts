import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Database } from '../database/connect.ts'
import { auditAttempt } from '../features/audit/audit-trail.ts'
import type { AuditedActor } from '../platform/audit-trail.ts'
import type { Provider } from '../platform/authentication/identity-providers.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import { routeNotFound } from '../platform/general-problems.ts'
import { countRequest } from '../platform/http/count-request.ts'
import { addressKey } from '../platform/load/rate-limit.ts'
import { Problem } from '../platform/problem.ts'
import type { Services } from '../platform/services.ts'
import { publicAddress, type SignInError, signInErrorPage, startPage } from './addresses.ts'
import { clearPendingSignIn, type PendingSignIn, readPendingSignIn, setPendingSignIn } from './pending-sign-in.ts'
import { beginSession } from './session-life.ts'

type Route = { Params: { provider: string } }

const callbackPath = ({ name }: Provider) => `/admin/callback/${name}`

/** Adds sign-in by authorization code with PKCE (RFC 9700): a redirect to the provider, and the return with a code. */
export function addSignInWithProvider(app: FastifyInstance, db: Database, services: Services): void {
  const noHead = { exposeHeadRoute: false }
  app.get<Route>('/admin/sign-in/:provider', noHead, async (request, reply) => {
    const provider = getProvider(services, request.params.provider)
    return redirect(reply, () => beginSignIn(provider, services, request, reply))
  })
  app.get<Route>('/admin/callback/:provider', noHead, async (request, reply) => {
    const provider = getProvider(services, request.params.provider)
    reply.header('set-cookie', clearPendingSignIn(request))
    return redirect(reply, () =>
      completeSignIn(provider, db, services, request, reply).catch((failure: unknown) =>
        auditFailure(db, provider, request, failure),
      ),
    )
  })
}

/** A sign-in failed for a reason that the sign-in page explains. */
class SignInFailure extends Error {
  readonly error: SignInError
  /** Set if the provider has identified the person. */
  readonly actor: AuditedActor | undefined

  constructor(error: SignInError, cause?: unknown, actor?: AuditedActor) {
    super(error, { cause })
    this.error = error
    this.actor = actor
  }
}

/** The failures that are attempts to sign in. Others say nothing about a person. */
const auditedStatuses: Partial<Record<SignInError, number>> = {
  ProviderRefused: 401,
  UnknownUser: 401,
  RoleRequired: 403,
}

/** Audits the failure and throws it again. */
async function auditFailure(
  db: Database,
  provider: Provider,
  request: FastifyRequest,
  failure: unknown,
): Promise<never> {
  const status = failure instanceof SignInFailure ? auditedStatuses[failure.error] : undefined
  if (failure instanceof SignInFailure && status !== undefined)
    await auditAttempt(db, {
      principal: failure.actor ?? { id: null, name: 'unknown user' },
      operation: 'signIn',
      target: '/admin/session',
      status,
      requestId: request.id,
      details: { address: request.ip, provider: provider.name, error: failure.error },
    })
  throw failure
}

/** Redirects to the target, or to the sign-in page with the error: people need a page, not a problem in JSON. */
async function redirect(reply: FastifyReply, target: () => Promise<string>): Promise<FastifyReply> {
  try {
    return reply.redirect(await target())
  } catch (failure) {
    if (!(failure instanceof SignInFailure)) throw failure
    if (failure.cause) reply.log.warn({ err: failure.cause }, `A sign-in failed: ${failure.error}`)
    return reply.redirect(signInErrorPage(failure.error))
  }
}

async function beginSignIn(
  provider: Provider,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  await countAttempt(services, request)
  const configuration = await discover(provider)
  const pending = {
    provider: provider.name,
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
  }
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: publicAddress(services.configuration, request, callbackPath(provider)).href,
    scope: provider.scopes.join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
  })
  reply.header('set-cookie', setPendingSignIn(services.keys, request, pending))
  return address.href
}

async function completeSignIn(
  provider: Provider,
  db: Database,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  await countAttempt(services, request)
  const pending = readPendingSignIn(services.keys, request, provider.name)
  const address = publicAddress(services.configuration, request, request.url)
  if (!pending || address.searchParams.get('state') !== pending.state) throw new SignInFailure('SignInExpired')
  const { subjectId, idToken } = await exchangeCode(await discover(provider), address, pending)
  const subject = { kinds: ['user'], subjectId, issuer: provider.issuer } as const
  const principal = await services.principals.findSubject(subject)
  // The log contains the subject id, because an administrator needs it to create the principal.
  if (!principal)
    throw new SignInFailure(
      'UnknownUser',
      new Error(`No principal has the subject id '${subjectId}' at this provider`),
      { id: null, name: subjectId },
    )
  if (principal.roles.size === 0) throw new SignInFailure('RoleRequired', undefined, principal)
  const signedIn = { principal, provider: provider.name, idToken }
  const findProven = async (tx: Database) => (await services.principals.findSubject(subject, tx))?.id
  const token = await beginSession(db, services, request, signedIn, findProven).catch((error: unknown) => {
    throw error instanceof Problem ? new SignInFailure('UnknownUser', error, principal) : error
  })
  reply.header('set-cookie', sessionCookie.set(request, token))
  return startPage
}

/** Exchanges the code for an ID token, whose state, nonce, issuer, audience, times and signature are checked. */
async function exchangeCode(configuration: Configuration, address: URL, { state, nonce, codeVerifier }: PendingSignIn) {
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true }
  const tokens = await authorizationCodeGrant(configuration, address, checks).catch((error: unknown) => {
    throw new SignInFailure(isUnreachable(error) ? 'ProviderUnavailable' : 'ProviderRefused', error)
  })
  return { subjectId: tokens.claims()?.sub ?? '', idToken: tokens.id_token }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError || (error as { code?: string }).code === 'OAUTH_TIMEOUT'
}

function discover(provider: Provider): Promise<Configuration> {
  return provider.discover().catch((error: unknown) => {
    throw new SignInFailure('ProviderUnavailable', error)
  })
}

function getProvider({ identityProviders }: Services, name: string): Provider {
  const provider = identityProviders.get(name)
  if (!provider) throw routeNotFound()
  return provider
}

async function countAttempt({ signInRateLimit }: Services, request: FastifyRequest): Promise<void> {
  await countRequest(request, signInRateLimit.count([addressKey(request.ip)])).catch((error: unknown) => {
    throw error instanceof Problem ? new SignInFailure('TooManyRequests') : error
  })
}
