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
import type { Provider } from '../platform/authentication/identity-providers.ts'
import { sessionCookie } from '../platform/authentication/session-cookie.ts'
import { routeNotFound } from '../platform/general-problems.ts'
import type { Services } from '../platform/services.ts'
import { publicAddress, type SignInError, signInErrorPage, startPage } from './addresses.ts'
import { clearPendingSignIn, keepPendingSignIn, type PendingSignIn, readPendingSignIn } from './pending-sign-in.ts'
import { beginSession } from './session-life.ts'

type Route = { Params: { provider: string } }

const callbackPath = ({ name }: Provider) => `/admin/callback/${name}`

/** Sign-in by authorization code with PKCE (RFC 9700): away to the provider, and back with a code. */
export function addSignInWithProvider(app: FastifyInstance, db: Database, services: Services): void {
  const noHead = { exposeHeadRoute: false }
  app.get<Route>('/admin/sign-in/:provider', noHead, async (request, reply) => {
    const provider = providerOf(services, request.params.provider)
    return redirect(reply, () => leaveFor(provider, services, request, reply))
  })
  app.get<Route>('/admin/callback/:provider', noHead, async (request, reply) => {
    const provider = providerOf(services, request.params.provider)
    reply.header('set-cookie', clearPendingSignIn(request))
    return redirect(reply, () => comeBackFrom(provider, db, services, request, reply))
  })
}

/** What the page says instead of letting somebody in. */
class SignInFailure extends Error {
  readonly error: SignInError

  constructor(error: SignInError, cause?: unknown) {
    super(error, { cause })
    this.error = error
  }
}

/** Failures lead back to the page that tells about them, since a person waits there and no program. */
async function redirect(reply: FastifyReply, target: () => Promise<string>): Promise<FastifyReply> {
  try {
    return reply.redirect(await target())
  } catch (failure) {
    if (!(failure instanceof SignInFailure)) throw failure
    if (failure.cause) reply.log.warn({ err: failure.cause }, `A sign-in has failed: ${failure.error}`)
    return reply.redirect(signInErrorPage(failure.error))
  }
}

async function leaveFor(
  provider: Provider,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  await countAttempt(services, request)
  const configuration = await discovered(provider)
  const pending = {
    provider: provider.name,
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
  }
  const address = buildAuthorizationUrl(configuration, {
    redirect_uri: publicAddress(request, callbackPath(provider)).href,
    scope: provider.scopes.join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
  })
  reply.header('set-cookie', keepPendingSignIn(services.keys, request, pending))
  return address.href
}

async function comeBackFrom(
  provider: Provider,
  db: Database,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  await countAttempt(services, request)
  const pending = readPendingSignIn(services.keys, request, provider.name)
  const address = publicAddress(request, request.url)
  if (!pending || address.searchParams.get('state') !== pending.state) throw new SignInFailure('SignInExpired')
  const { subjectId, idToken } = await identity(await discovered(provider), address, pending)
  const principal = await services.principals.findSubject({ kinds: ['user'], subjectId, issuer: provider.issuer })
  // An administrator who wants to make the principal needs its subject id.
  if (!principal) throw new SignInFailure('UnknownUser', new Error(`No principal is the user '${subjectId}'`))
  if (!principal.roles.has('admin.manage')) throw new SignInFailure('AdministratorRequired')
  const token = await beginSession(db, services, request, { principal, provider: provider.name, idToken })
  reply.header('set-cookie', sessionCookie.set(request, token))
  return startPage
}

/** Exchanges the code. State, nonce, issuer, audience, times and the signature of the ID token are checked on the way. */
async function identity(configuration: Configuration, address: URL, { state, nonce, codeVerifier }: PendingSignIn) {
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true }
  const tokens = await authorizationCodeGrant(configuration, address, checks).catch((error: unknown) => {
    throw new SignInFailure(isOutOfReach(error) ? 'ProviderUnavailable' : 'ProviderRefused', error)
  })
  return { subjectId: tokens.claims()?.sub ?? '', idToken: tokens.id_token }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof TypeError || (error as { code?: string }).code === 'OAUTH_TIMEOUT'
}

function discovered(provider: Provider): Promise<Configuration> {
  return provider.discover().catch((error: unknown) => {
    throw new SignInFailure('ProviderUnavailable', error)
  })
}

function providerOf({ identityProviders }: Services, name: string): Provider {
  const provider = identityProviders.get(name)
  if (!provider) throw routeNotFound()
  return provider
}

async function countAttempt({ signInRateLimit }: Services, { ip }: FastifyRequest): Promise<void> {
  const { exceeded } = await signInRateLimit.count([`address ${ip}`])
  if (exceeded) throw new SignInFailure('TooManyRequests')
}
