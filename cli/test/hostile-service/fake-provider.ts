import { sendJson, startFakeService } from './fake-service.ts'

/** What a hostile provider answers. Each property replaces the honest one. */
export type ProviderAnswers = {
  metadata: Record<string, unknown>
  device: Record<string, unknown>
  token: Record<string, unknown>
  /** How often it says that nobody has entered the code yet. */
  pending: number
}

export const jsonWebToken = (claims: object) =>
  `${Buffer.from('{}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

/** An identity provider with the device flow, as far as the command uses it. */
export async function startFakeProvider(audience: string) {
  const answers: ProviderAnswers = { metadata: {}, device: {}, token: {}, pending: 0 }
  const provider = await startFakeService(({ url = '' }, response) => {
    const { address: issuer } = provider
    if (url.startsWith('/.well-known/'))
      return sendJson(response, {
        ...{ issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/authorize` },
        ...{ device_authorization_endpoint: `${issuer}/device`, revocation_endpoint: `${issuer}/revoke` },
        ...answers.metadata,
      })
    if (url === '/device')
      return sendJson(response, {
        ...{ device_code: 'd', user_code: 'ABCD', verification_uri: `${issuer}/enter`, expires_in: 600, interval: 1 },
        ...answers.device,
      })
    if (url === '/token' && answers.pending-- > 0)
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: 'authorization_pending' }))
    if (url === '/token')
      return sendJson(response, {
        ...{ access_token: jsonWebToken({ aud: audience }), token_type: 'bearer', expires_in: 60, refresh_token: 'r1' },
        ...answers.token,
      })
    response.writeHead(200).end()
  })
  return {
    provider,
    answers,
    reset() {
      provider.received = []
      Object.assign(answers, { metadata: {}, device: {}, token: {}, pending: 0 })
    },
  }
}
