import { answerOf, createMusterClient, requestAccessToken } from '@muster/client'
import { type Call, command } from '../command.ts'
import { signInWithBrowser } from '../credentials/browser-sign-in.ts'
import { changeCredentials, type Profile } from '../credentials/credentials-file.ts'
import { UsageError } from '../errors.ts'

type LocalCall = Omit<Call, 'client'>

export const login = command({
  name: 'login',
  summary: 'Sign in to a service and remember it',
  description: [
    'With --client-id, you sign in as a local principal. The secret is asked for, read from the standard input with',
    '--secret-stdin, or taken from MUSTER_CLIENT_SECRET. It cannot be an argument, because others can see those.',
    'With --issuer, you sign in at an identity provider in your browser. Muster must know the provider, with an audience,',
    'and the provider must know this command as a public client with the redirect address http://127.0.0.1/callback.',
    'Credentials are stored in your folder for settings, readable only by you.',
  ].join('\n'),
  arguments: [['<address>', 'The address of the service']],
  options: [
    ['--client-id <id>', 'Client ID of a local principal, or of this command at the identity provider'],
    ['--secret-stdin', 'Read the secret from the standard input'],
    ['--issuer <url>', 'Sign in at this identity provider, in the browser'],
    ['--audience <audience>', 'The audience that Muster expects in access tokens of the provider'],
    ['--scope <scopes>', 'Scopes to request at the provider, separated by blanks'],
    ['--as <profile>', 'Name of the profile; the host of the address by default'],
  ],
  examples: [
    ['muster login https://muster.example.org --client-id ops', 'Asks for the secret'],
    ['muster login https://muster.example.org --client-id ci --secret-stdin < secret', 'For scripts'],
    [
      'muster login https://muster.example.org --issuer https://login.example.org --client-id muster-cli --audience muster',
      'Opens the browser',
    ],
  ],
  operations: ['requestToken', 'whoAmI'],
  async runLocally(call) {
    const { args, options, output, terminal } = call
    const address = normaliseAddress(args[0] ?? '')
    const name = String(options.as ?? new URL(address).host)
    const profile: Profile = { address, ...(options.issuer ? await askBrowser(call) : await askSecret(call, address)) }
    const client = createMusterClient({ address, credentials: { accessToken: profile.token?.accessToken ?? '' } })
    const caller = await answerOf(client.GET('/api/service/whoami'))
    await changeCredentials(terminal.environment, (file) => {
      file.current = name
      file.profiles[name] = profile
    })
    output.result(caller, `Signed in to ${address} as ${caller.name}. Roles: ${caller.roles.join(', ') || 'none'}`)
  },
})

function normaliseAddress(text: string): string {
  const address = URL.parse(/^https?:\/\//.test(text) ? text : `https://${text}`)
  if (!address) throw new UsageError(`"${text}" is not an address.`)
  return address.origin
}

async function askSecret({ options, terminal }: LocalCall, address: string): Promise<Omit<Profile, 'address'>> {
  const { environment, askSecret: ask } = terminal
  const clientId = (options.clientId as string | undefined) ?? environment.MUSTER_CLIENT_ID
  if (!clientId) throw new UsageError('Name the principal with --client-id.')
  const given = options.secretStdin ? await terminal.readInput() : environment.MUSTER_CLIENT_SECRET
  const clientSecret = (given ?? (await ask?.(`Secret of ${clientId}: `)) ?? '').trim()
  if (clientSecret === '') throw new UsageError('A secret is needed: use --secret-stdin or set MUSTER_CLIENT_SECRET.')
  return { clientId, clientSecret, token: await requestAccessToken(address, { clientId, clientSecret }) }
}

async function askBrowser({ options, terminal }: LocalCall): Promise<Omit<Profile, 'address'>> {
  if (!options.clientId) throw new UsageError('Name the client ID of this command at the provider with --client-id.')
  return signInWithBrowser(terminal, {
    issuer: String(options.issuer),
    clientId: String(options.clientId),
    audience: options.audience as string | undefined,
    scope: (options.scope as string | undefined) ?? 'openid',
  })
}
