import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
} from 'openid-client'
import { CommandFailure } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { openPage, parsePage } from './open-page.ts'
import type { ProviderRequest } from './provider-choice.ts'

const maxWaitMs = 300_000

/** Signs in with the browser: authorization code with PKCE, returned to a port of this computer (RFC 8252). */
export async function signInWithBrowser(
  terminal: Terminal,
  provider: Configuration,
  { scope, prompt, parameters }: ProviderRequest,
): Promise<TokenEndpointResponse> {
  const pkceCodeVerifier = randomPKCECodeVerifier()
  const expectedState = randomState()
  const callback = await listenForCallback(terminal.signal)
  try {
    const address = buildAuthorizationUrl(provider, {
      ...parameters,
      redirect_uri: callback.address,
      scope,
      state: expectedState,
      code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...(prompt !== undefined && { prompt }),
    })
    terminal.note(`Sign in with your browser. If it does not open, go to:\n${parsePage(address.href)}\n`)
    openPage(terminal, address.href)
    const checks = { pkceCodeVerifier, expectedState }
    return await authorizationCodeGrant(provider, await callback.returned, checks, parameters)
  } finally {
    callback.close()
  }
}

/** Waits on a free port of the loopback address for the browser to return. */
async function listenForCallback(signal: AbortSignal) {
  const { promise: returned, resolve, reject } = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    // Joined, not resolved: `//host/callback` is not an address of this computer, and `//` would be none at all.
    const url = URL.parse(`${origin()}${request.url ?? '/'}`)
    if (url?.origin !== origin() || url.pathname !== '/callback') return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      .end('You can close this window and return to the terminal.', () => resolve(url))
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
