import { countRequest } from '../../../../platform/http/count-request.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, Type } from '../../../../platform/schema.ts'
import { auditClientAttempt } from '../../audit-client-attempt.ts'
import { findAuthenticatedClient } from '../../authenticate-client.ts'
import { parseClientCredentials, parseSingleParameter } from '../../client-credentials.ts'
import { invalidClient, invalidTokenRequest, tooManyTokenRequests, unsupportedGrantType } from './problems.ts'

// All properties are optional and unknown ones are ignored: the handler answers with the errors of RFC 6749.
const TokenRequest = Type.Object(
  {
    grant_type: Type.Optional(Type.String({ examples: ['client_credentials'] })),
    client_id: Type.Optional(Type.String({ examples: ['client-5b1f0e2a9c'] })),
    client_secret: Type.Optional(Type.String({ writeOnly: true, examples: ['the-secret-of-the-client'] })),
  },
  { title: 'TokenRequest' },
)

const Rfc6749TokenResponse = closed(
  {
    access_token: Type.String({ examples: ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxNyJ9.c2lnbmF0dXJl'] }),
    token_type: Type.String({ examples: ['Bearer'] }),
    expires_in: Type.Integer({ format: 'int32', examples: [3600], description: 'Lifetime in seconds' }),
  },
  { title: 'Rfc6749TokenResponse' },
)

export const requestToken = operation({
  id: 'requestToken',
  route: 'POST /api/auth/token',
  summary: 'Exchange the client id and secret of a local principal for an access token',
  description:
    'OAuth 2.0 client credentials grant (RFC 6749). The client authenticates with the form or with HTTP Basic. Requests are limited for each client id at each address: failures at one address do not lock a client out at another.',
  role: 'no token',
  execution: { kind: 'Read' },
  rateLimit: ({ tokenRateLimit }) => tokenRateLimit,
  countsRequests: true,
  body: TokenRequest,
  bodyType: 'application/x-www-form-urlencoded',
  bodyOptional: true,
  returns: ok(Rfc6749TokenResponse),
  problems: [invalidTokenRequest, unsupportedGrantType, invalidClient, tooManyTokenRequests],
  async handle({ body = {}, db, services, request, setHeader }) {
    const grantType = parseSingleParameter(body, 'grant_type')
    if (grantType === undefined) throw invalidTokenRequest({ detail: 'grant_type is required.' })
    if (grantType !== 'client_credentials') throw unsupportedGrantType()
    const credentials = parseClientCredentials(request.headers.authorization, body)
    const counting = services.tokenRateLimit.countClient(request.ip, credentials.clientId)
    await countRequest(request, counting, tooManyTokenRequests)
    const principalId = await findAuthenticatedClient(db, services.keys, credentials)
    await auditClientAttempt(
      { db, services, request },
      {
        operation: 'requestToken',
        target: '/api/auth/token',
        clientId: credentials.clientId,
        principalId,
        status: principalId === undefined ? 401 : 200,
      },
    )
    if (principalId === undefined) throw invalidClient().withHeaders({ 'www-authenticate': 'Basic realm="muster"' })
    setHeader('pragma', 'no-cache')
    return {
      access_token: await services.tokens.issue(principalId),
      token_type: 'Bearer',
      expires_in: services.tokens.lifetimeSeconds,
    }
  },
})
