import { type components, guardRequests, isLoopback, limitAnswer } from '@muster/client'
import { readAnswer } from '../api/check-answer.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

type SignInProvider = components['schemas']['SignInProvider']

/** Where the service names its identity providers. */
const providersPath = '/auth/providers'

/** What a sign-in at an identity provider needs. */
export type ProviderRequest = {
  issuer: string
  clientId: string
  scope: string
  /** The audience that access tokens must have. Undefined if the person has named the provider without it. */
  audience: string | undefined
  /** What every request to the provider contains, such as the audience. */
  parameters: Record<string, string>
  /** What the provider should ask the person, although it may know the answer. */
  prompt?: string
}

export type ProviderName = { name?: string | undefined; issuer?: string | undefined; clientId?: string | undefined }

/**
 * Finds the identity provider at which people sign in with this command: the only one of the service, or the one with this name,
 * or with this issuer and client.
 */
export async function chooseProvider(
  address: string,
  { name, issuer, clientId }: ProviderName,
  terminal: Pick<Terminal, 'send' | 'limits'>,
): Promise<ProviderRequest | undefined> {
  const providers = await listProviders(address, terminal)
  const chosen = providers
    .filter((one) => name === undefined || one.name === name)
    .filter((one) => issuer === undefined || (one.issuer === issuer && one.clientId === clientId))
  const [first] = chosen
  const known = providers.map((one) => `  ${one.name}  ${one.displayName}`)
  if (name !== undefined && !first)
    throw new UsageError([`The service has no identity provider "${name}" for this command.`, ...known])
  if (chosen.length > 1)
    throw new UsageError(['The service has several identity providers. Choose one with --provider:', ...known])
  return first && toRequest(address, first)
}

async function listProviders(
  address: string,
  { send, limits }: Pick<Terminal, 'send' | 'limits'>,
): Promise<SignInProvider[]> {
  const response = await guardRequests(send, address)(new Request(new URL(providersPath, address)))
  // A service of an earlier version does not know the operation.
  if (!response.ok) return []
  return readAnswer<SignInProvider[]>(`GET ${providersPath}`, limitAnswer(response, limits))
}

/** Parameters of the protocols themselves. A service that sets them could lead the answer of the provider elsewhere. */
const protocolParameters = new Set([
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'code', 'code_challenge'],
  ...['code_challenge_method', 'code_verifier', 'device_code', 'grant_type', 'id_token_hint', 'login_hint', 'nonce'],
  ...['redirect_uri', 'refresh_token', 'request', 'request_uri', 'response_mode', 'response_type', 'scope', 'state'],
])

function toRequest(address: string, provider: SignInProvider): ProviderRequest {
  const { issuer, clientId, scopes, parameters, name } = provider
  const refuse = (reason: string) => new CommandFailure(`The service has an unusable identity provider: ${reason}`)
  if ([name, issuer, clientId, scopes, parameters].includes(undefined as never)) throw refuse('it lacks properties.')
  const own = Object.keys(parameters).find((parameter) => protocolParameters.has(parameter.toLowerCase()))
  if (own !== undefined) throw refuse(`it must not set the parameter ${own}.`)
  const target = URL.parse(issuer)
  // A name before the host, as in https://login.example.org@evil.example, is read as the host.
  if (!target || target.username || target.password || (isLoopback(target) && !isLoopback(new URL(address))))
    throw refuse(`${issuer} is not an address of a provider that others can reach.`)
  const { prompt, ...others } = parameters
  // Services of earlier versions do not announce the audience, but what requests it.
  const audience = provider.audience ?? others.resource ?? others.audience
  if (audience === undefined)
    throw refuse('it has no audience. Name all with --issuer, --client-id, --audience and --scope.')
  const request = { issuer, clientId, scope: scopes.join(' '), audience, parameters: others }
  return prompt === undefined ? request : { ...request, prompt }
}
