import { CommandFailure } from '../errors.ts'

/**
 * Refuses an access token for something other than the service that gets it. A provider, or a service that chose the wrong scopes,
 * could otherwise make people give away tokens for other services.
 */
export function requireAudience(accessToken: string, audience: string | undefined): void {
  if (audience === undefined) return
  const found = readAudiences(accessToken)
  if (found === undefined)
    throw new CommandFailure('The identity provider issued a token without a readable audience. It was not sent.')
  if (!found.includes(audience))
    throw new CommandFailure(
      `The identity provider issued a token for ${found.join(', ') || 'nobody'}, not for ${audience}. It was not sent.`,
    )
}

/** The audiences of a JSON Web Token. Undefined if it is none. Only the service verifies its signature. */
function readAudiences(token: string): string[] | undefined {
  const [, payload = '', ...rest] = token.split('.')
  if (rest.length !== 1) return undefined
  try {
    const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud?: unknown }
    return [aud ?? []].flat().filter((one) => typeof one === 'string')
  } catch {
    return undefined
  }
}
