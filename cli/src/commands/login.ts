import { answerOf, isSecureAddress, requestAccessToken } from '@muster/client'
import { type Call, command } from '../command.ts'
import { parseAddress } from '../credentials/address.ts'
import { confirmProvider } from '../credentials/confirm-provider.ts'
import { openClient } from '../credentials/connect.ts'
import { changeCredentials, type Profile, readCredentials } from '../credentials/credentials-file.ts'
import { failAtFirstContact } from '../credentials/first-contact.ts'
import { chooseProvider, type ProviderRequest } from '../credentials/provider-choice.ts'
import { type Flow, signInAtProvider } from '../credentials/provider-sign-in.ts'
import { UsageError } from '../errors.ts'

type LocalCall = Omit<Call, 'client'>

const flows: readonly string[] = ['device', 'loopback'] satisfies Flow[]

export const login = command({
  name: 'login',
  summary: 'Sign in to a service and remember it',
  description: [
    'With an identity provider, you sign in as yourself: with a code that you enter on any device if the provider offers ' +
      'the device flow, otherwise in your browser. The service names the provider and what is requested there. You confirm that ' +
      'at the first sign-in, and when it changes. Where nobody can answer, name all of it with --issuer, --client-id, --audience ' +
      'and --scope: then nothing is taken from the service.',
    'With --client-id alone, you sign in as a local principal. The secret is asked for, read from the standard input ' +
      'with --secret-stdin, or taken from MUSTER_CLIENT_SECRET. It cannot be an argument, because others can see those.',
    'Credentials are stored in your folder for settings, readable only by you.',
  ].join('\n\n'),
  arguments: [['<address>', 'The address of the service']],
  options: [
    ['--client-id <id>', 'Client ID of a local principal; with --issuer, of this command at the provider'],
    ['--secret-stdin', 'Read the secret from the standard input'],
    ['--provider <name>', 'The identity provider, if the service has several'],
    ['--flow <flow>', 'device or loopback; the provider decides by default', flows],
    ['--issuer <url>', 'Sign in at this identity provider, with --client-id'],
    ['--audience <audience>', 'With --issuer: the audience that Muster expects in access tokens'],
    ['--scope <scopes>', 'With --issuer: scopes to request, separated by spaces'],
    ['--as <profile>', 'Name of the profile; the host of the address by default'],
  ],
  examples: [
    ['muster login https://muster.example.org', 'As yourself, at the identity provider of the service'],
    ['muster login https://muster.example.org --client-id ops', 'As a local principal; asks for the secret'],
    ['muster login https://muster.example.org --client-id ci --secret-stdin < secret', 'For scripts'],
  ],
  operations: ['listSignInProviders', 'requestToken', 'whoAmI'],
  async runLocally(call) {
    const { args, options, output, terminal } = call
    const address = parseAddress(args[0] ?? '', options.insecure === true)
    const insecure = !isSecureAddress(new URL(address))
    const name = String(options.as ?? new URL(address).host)
    const profile: Profile = { address, ...(insecure && { insecure }), ...(await signIn(call, address, name)) }
    const client = openClient(terminal, address, { accessToken: profile.token?.accessToken ?? '' })
    const caller = await answerOf(client.GET('/api/service/whoami'))
    await changeCredentials(terminal.environment, (file) => {
      file.current = name
      file.profiles[name] = profile
    })
    output.result(caller, `Signed in to ${address} as ${caller.name}. Roles: ${caller.roles.join(', ') || 'none'}`)
  },
})

async function signIn(call: LocalCall, address: string, profile: string): Promise<Omit<Profile, 'address'>> {
  const { options, terminal } = call
  const clientId = (options.clientId as string | undefined) ?? (terminal.environment.MUSTER_CLIENT_ID || undefined)
  if (clientId !== undefined && !options.issuer && !options.provider) return askSecret(call, address, clientId)
  const request = await findProvider(call, address, profile)
  if (request) return signInAtProvider(terminal, request, options.flow as Flow | undefined)
  throw new UsageError(
    'The service has no identity provider for this command. Name a local principal with --client-id.',
  )
}

/** The provider of the arguments. What they leave to the service, a person confirms. */
async function findProvider(call: LocalCall, address: string, profile: string): Promise<ProviderRequest | undefined> {
  const { options, terminal } = call
  const { issuer, clientId, provider: name } = options as Record<string, string | undefined>
  if (issuer !== undefined && clientId === undefined)
    throw new UsageError('Name the client ID of this command at the provider with --client-id.')
  // Without an audience, the token could be for another service, so a person decides.
  if (options.audience !== undefined) return requestOf(call)
  const connection = { ...terminal, send: failAtFirstContact(terminal.send) }
  const announced =
    options.scope === undefined
      ? await chooseProvider(address, { name, issuer, clientId }, connection)
      : requestOf(call)
  const request = announced ?? (issuer === undefined ? undefined : requestOf(call))
  if (!request) return undefined
  const stored = (await readCredentials(terminal.environment)).profiles[profile]
  await confirmProvider(terminal, address, request, stored?.address === address ? stored.provider : undefined)
  return request
}

async function askSecret({ options, terminal }: LocalCall, address: string, clientId: string) {
  const { environment, askSecret: ask } = terminal
  const given = options.secretStdin ? await terminal.readInput() : environment.MUSTER_CLIENT_SECRET || undefined
  const clientSecret = (given ?? (await ask?.(`Secret of ${clientId}: `)) ?? '').trim()
  if (clientSecret === '') throw new UsageError('A secret is needed: use --secret-stdin or set MUSTER_CLIENT_SECRET.')
  const token = await requestAccessToken(
    address,
    { clientId, clientSecret },
    {
      send: failAtFirstContact(terminal.send),
      insecure: options.insecure === true,
      limits: terminal.limits ?? {},
    },
  )
  return { clientId, clientSecret, token }
}

/** The provider of the arguments. */
function requestOf({ options }: LocalCall): ProviderRequest {
  if (!options.issuer || !options.clientId)
    throw new UsageError('--audience and --scope need --issuer and --client-id.')
  const audience = options.audience as string | undefined
  return {
    issuer: String(options.issuer),
    clientId: String(options.clientId),
    scope: (options.scope as string | undefined) ?? 'openid',
    audience,
    // Providers differ in how they let a client choose the audience; those that know neither ignore both.
    parameters: audience === undefined ? {} : { resource: audience, audience },
  }
}
