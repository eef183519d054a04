import { invalidClient, invalidTokenRequest } from './api/token/problems.ts'
import type { ClientCredentials } from './principals.ts'

type Form = { client_id?: unknown; client_secret?: unknown }

/** Client id and secret, from HTTP Basic or from the form, but not from both (RFC 6749, section 2.3). */
export function clientCredentials(authorization: string | undefined, form: Form): ClientCredentials {
  const clientId = single(form, 'client_id')
  const clientSecret = single(form, 'client_secret')
  if (!/^Basic /i.test(authorization ?? '')) {
    if (clientId === undefined || clientSecret === undefined)
      throw invalidTokenRequest({ detail: 'client_id and client_secret are required.' })
    return { clientId, clientSecret }
  }
  const basic = basicCredentials(authorization ?? '')
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
    throw invalidTokenRequest({ detail: 'The client must authenticate in one way only.' })
  return basic
}

/** A form parameter, which must not be repeated. */
export function single(form: Record<string, unknown>, name: string): string | undefined {
  const value = form[name]
  if (value !== undefined && typeof value !== 'string') throw invalidTokenRequest({ detail: `${name} is repeated.` })
  return value
}

/** Both parts are form-encoded before they are joined and encoded as base64. */
function basicCredentials(authorization: string): ClientCredentials {
  const decoded = Buffer.from(authorization.slice('Basic '.length).trim(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  try {
    const [clientId, clientSecret] = [decoded.slice(0, colon), decoded.slice(colon + 1)].map(formDecoded)
    if (colon > 0 && clientId && clientSecret) return { clientId, clientSecret }
  } catch {
    // Malformed escapes are wrong credentials like any other.
  }
  throw invalidClient().withHeaders({ 'www-authenticate': 'Basic realm="muster"' })
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
