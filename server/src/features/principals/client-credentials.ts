import { invalidClient, invalidTokenRequest } from './api/token/problems.ts'
import type { ClientCredentials } from './authenticate-client.ts'

type Form = { client_id?: unknown; client_secret?: unknown }

/** Reads client id and secret from HTTP Basic or from the form. Using both is an error (RFC 6749, section 2.3). */
export function parseClientCredentials(authorization: string | undefined, form: Form): ClientCredentials {
  const clientId = parseSingleParameter(form, 'client_id')
  const clientSecret = parseSingleParameter(form, 'client_secret')
  if (!/^Basic /i.test(authorization ?? '')) {
    if (clientId === undefined || clientSecret === undefined)
      throw invalidTokenRequest({ detail: 'client_id and client_secret are required.' })
    return { clientId, clientSecret }
  }
  const basic = parseBasicCredentials(authorization ?? '')
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
    throw invalidTokenRequest({ detail: 'Authenticate with HTTP Basic or with the form, not with both.' })
  return basic
}

/** Reads a form parameter. Repeating it is an error. */
export function parseSingleParameter(form: Record<string, unknown>, name: string): string | undefined {
  const value = form[name]
  if (value !== undefined && typeof value !== 'string') throw invalidTokenRequest({ detail: `${name} is repeated.` })
  return value
}

/** Client id and secret are form-encoded, then joined with a colon, then encoded as base64. */
function parseBasicCredentials(authorization: string): ClientCredentials {
  const decoded = Buffer.from(authorization.slice('Basic '.length).trim(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  try {
    const [clientId, clientSecret] = [decoded.slice(0, colon), decoded.slice(colon + 1)].map(decodeFormValue)
    if (colon > 0 && clientId && clientSecret) return { clientId, clientSecret }
  } catch {
    // Malformed escapes are answered like wrong credentials.
  }
  throw invalidClient().withHeaders({ 'www-authenticate': 'Basic realm="muster"' })
}

function decodeFormValue(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
