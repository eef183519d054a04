import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'
import type { IdentityProvider } from '../../src/platform/authentication/identity-provider-file.ts'

export const apiAudience = 'urn:muster:test-api'
const otherAudience = 'urn:another:api'
const hour = 3600

/** A program that gets tokens from the provider, for itself and for its users. */
export const program = { clientId: 'nightly-report', clientSecret: 'secret-of-the-nightly-report' }
export const programCallback = 'http://127.0.0.1/callback'

/** The command line, a public client that the browser returns to on any port of the loopback address. */
export const commandLine = { clientId: 'muster-cli' }

/** The same for which the provider does not allow the device flow. */
export const commandLineWithoutDevice = { clientId: 'muster-cli-in-browsers' }

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const day = 86_400

/** How long a refresh token of the provider is valid. */
export const refreshTokenDays = 14

export type TestProvider = {
  issuer: string
  /** The provider as configured in the service. */
  settings: IdentityProvider
  /** The user who signs in at the provider, or null for a user who cancels. */
  user: string | null
  /** The current signing key. */
  signingKey: JWK
  /** While true, every connection is closed without an answer. */
  isDown: boolean
  /** How often its keys were requested. */
  keyRequests: number
  /** Replaces the signing key and publishes only the new one. */
  rotateKeys(): Promise<void>
  /** Requests an access token of the program for itself. */
  programToken(resource?: typeof apiAudience | typeof otherAudience): Promise<string>
  /** Stops the provider. */
  close(): Promise<void>
}

export type TestProviderOptions = {
  /** The address of the console. */
  pages: string
  name?: string
  withLogout?: boolean
  /** The only method with which the service may authenticate at the provider. */
  authentication?: 'client_secret_basic' | 'client_secret_post' | 'none'
}

/** Starts an OpenID Connect provider on loopback. It has no form: every sign-in is by the current `user`. */
export async function startIdentityProvider(options: TestProviderOptions): Promise<TestProvider> {
  const { name = 'corporate' } = options
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings: IdentityProvider = {
    name,
    displayName: 'Corporate login',
    issuer,
    clientId: 'muster',
    clientSecret: options.authentication === 'none' ? undefined : 'secret-of-muster-at-the-provider',
    audience: apiAudience,
    scopes: ['openid'],
    serviceAccounts: false,
  }

  const testProvider: TestProvider = {
    issuer,
    settings,
    user: 'ada',
    signingKey: {},
    isDown: false,
    keyRequests: 0,
    async rotateKeys() {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      testProvider.signingKey = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' }
      const provider = new Provider(issuer, buildConfiguration(settings, testProvider.signingKey, options))
      // How often a program may ask whether a person has entered the code. The default of RFC 8628 is five seconds.
      provider.use(async ({ oidc, body }, next) => {
        await next()
        if (oidc?.route === 'device_authorization') Object.assign(body as object, { interval: 1 })
      })
      const handleRequest = provider.callback()
      handle = async (request, response) => {
        if (testProvider.isDown) return void request.socket.destroy()
        if (request.url === '/jwks') testProvider.keyRequests++
        if (!request.url?.startsWith('/interaction/')) return handleRequest(request, response)
        // Programs on the computer of the user need a consent, which nobody refuses here.
        const agreement = { login: { accountId: testProvider.user ?? '' }, consent: {} }
        const interaction = testProvider.user === null ? cancellation : agreement
        await provider.interactionFinished(request, response, interaction, { mergeWithLastSubmission: false })
      }
    },
    async programToken(resource = apiAudience) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: basic(program) },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: 'api' }),
      })
      return ((await response.json()) as { access_token: string }).access_token
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await testProvider.rotateKeys()
  return testProvider
}

const cancellation = { error: 'access_denied', error_description: 'the user cancelled' }

export const basic = ({ clientId, clientSecret }: typeof program) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

function buildConfiguration(
  settings: IdentityProvider,
  signingKey: JWK,
  { pages, withLogout = true, authentication = 'client_secret_basic' }: TestProviderOptions,
): Configuration {
  const confidential = authentication === 'none' ? 'client_secret_basic' : authentication
  return {
    jwks: { keys: [signingKey] },
    cookies: { keys: ['any key will do here'] },
    ttl: {
      ...{
        AccessToken: hour,
        ClientCredentials: hour,
        IdToken: hour,
        Interaction: hour,
        Session: hour,
        DeviceCode: hour,
      },
      ...{ Grant: refreshTokenDays * day, RefreshToken: refreshTokenDays * day },
    },
    clientAuthMethods: [...new Set([confidential, authentication, 'none' as const])],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [
      {
        client_id: settings.clientId,
        ...(settings.clientSecret !== undefined && { client_secret: settings.clientSecret }),
        token_endpoint_auth_method: authentication,
        redirect_uris: [`${pages}/admin/callback/${settings.name}`],
        post_logout_redirect_uris: [`${pages}/admin/sign-in?signedOut=1`],
      },
      {
        client_id: program.clientId,
        client_secret: program.clientSecret,
        token_endpoint_auth_method: confidential,
        redirect_uris: [programCallback],
        grant_types: ['client_credentials', 'authorization_code'],
      },
      commandLineClient(commandLine.clientId, [deviceGrant]),
      commandLineClient(commandLineWithoutDevice.clientId, []),
    ],
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant({ oidc }) {
      const [clientId, accountId] = [oidc.client?.clientId ?? '', oidc.session?.accountId ?? '']
      const grant = new oidc.provider.Grant({ clientId, accountId })
      grant.addOIDCScope('openid offline_access')
      grant.addResourceScope(apiAudience, 'api')
      await grant.save()
      return grant
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: withLogout },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: 'api',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  }
}

const commandLineClient = (id: string, moreGrants: readonly string[]) => ({
  client_id: id,
  token_endpoint_auth_method: 'none' as const,
  application_type: 'native' as const,
  redirect_uris: [programCallback],
  grant_types: ['authorization_code', 'refresh_token', ...moreGrants],
})
