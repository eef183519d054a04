import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandFailure } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import type { Profile } from './credentials-file.ts'
import { discoverProvider, toAccessToken } from './provider-discovery.ts'

export type BrowserSignIn = { issuer: string; clientId: string; audience: string | undefined; scope: string }

const maxWaitMs = 300_000

/** Signs in at an identity provider: authorization code with PKCE, returned to a port of this computer (RFC 8252). */
export async function signInWithBrowser(terminal: Terminal, request: BrowserSignIn): Promise<Omit<Profile, 'address'>> {
  const { issuer, clientId, audience, scope } = request
  const oidc = await import('openid-client')
  const provider = await discoverProvider({ issuer, clientId })
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  const callback = await listenForCallback(terminal.signal)
  try {
    const address = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callback.address,
      scope,
      state,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Providers differ in how they let a client choose the audience; those that know neither ignore both.
      ...(audience !== undefined && { resource: audience, audience }),
    })
    terminal.note(`Sign in with your browser. If it does not open, go to:\n${address.href}\n`)
    terminal.openBrowser(address.href)
    const answer = await oidc
      .authorizationCodeGrant(
        provider,
        await callback.returned,
        { pkceCodeVerifier: verifier, expectedState: state },
        audience === undefined ? undefined : { resource: audience },
      )
      .catch((error: Error) => {
        throw new CommandFailure(`The identity provider refused the sign-in: ${error.message}`)
      })
    return {
      provider: { issuer, clientId, refreshToken: answer.refresh_token ?? null },
      token: toAccessToken(answer),
    }
  } finally {
    callback.close()
  }
}

/** Waits on a free port of the loopback address for the browser to return. */
async function listenForCallback(signal: AbortSignal) {
  const { promise: returned, resolve, reject } = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin())
    if (url.pathname !== '/callback') return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end('You can close this window and return to the terminal.')
    resolve(url)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const timer = setTimeout(() => reject(new CommandFailure('Nobody signed in within five minutes.')), maxWaitMs)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return {
    address: `${origin()}/callback`,
    returned,
    close() {
      clearTimeout(timer)
      server.close()
      server.closeAllConnections()
    },
  }
}
