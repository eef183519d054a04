import type { components, Send } from '@muster/client'
import { UsageError } from '../errors.ts'

type SignInProvider = components['schemas']['SignInProvider']

/** What a sign-in at an identity provider needs. */
export type ProviderRequest = {
  issuer: string
  clientId: string
  scope: string
  /** What every request to the provider contains, such as the audience. */
  parameters: Record<string, string>
  /** What the provider should ask the person, although it may know the answer. */
  prompt?: string
}

/** Finds the identity provider at which people sign in with this command: the only one of the service, or the named one. */
export async function chooseProvider(
  address: string,
  name: string | undefined,
  send: Send,
): Promise<ProviderRequest | undefined> {
  const providers = await listProviders(address, send)
  const [first] = name === undefined ? providers : providers.filter((one) => one.name === name)
  const known = providers.map((one) => `  ${one.name}  ${one.displayName}`).join('\n')
  if (name !== undefined && !first)
    throw new UsageError(`The service has no identity provider "${name}" for this command.${known && `\n${known}`}`)
  if (name === undefined && providers.length > 1)
    throw new UsageError(`The service has several identity providers. Choose one with --provider:\n${known}`)
  return first && toRequest(first)
}

async function listProviders(address: string, send: Send): Promise<SignInProvider[]> {
  const response = await send(new Request(new URL('/auth/providers', address)))
  // A service of an earlier version does not know the operation.
  return response.ok ? ((await response.json()) as SignInProvider[]) : []
}

function toRequest({
  issuer,
  clientId,
  scopes,
  parameters: { prompt, ...parameters },
}: SignInProvider): ProviderRequest {
  return { issuer, clientId, scope: scopes.join(' '), parameters, ...(prompt !== undefined && { prompt }) }
}
