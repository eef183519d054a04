import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError } from '../configuration-error.ts'
import { Problem } from '../problem.ts'
import { closed, type Static, Type } from '../schema.ts'
import { validate } from '../validation.ts'

/** An OpenID Connect provider of the configuration. */
export type IdentityProvider = {
  /** Identifies the provider in URLs. */
  name: string
  displayName: string
  /** Exactly as in the tokens of the provider. */
  issuer: string
  clientId: string
  /** Undefined for a public client, which relies on PKCE alone. */
  clientSecret: string | undefined
  /** The audience that access tokens for the API must have. Without it, the API accepts none of this provider. */
  audience: string | undefined
  scopes: readonly string[]
  /** Whether the subject of a client's token is a separate id instead of the client id. */
  serviceAccounts: boolean
  /** How people sign in with the command line: as a public client of its own. */
  commandLine?: CommandLineSignIn | undefined
}

export type CommandLineSignIn = {
  clientId: string
  scopes: readonly string[]
  /** What else its requests to the provider contain. Providers differ in how a client chooses the audience of its tokens. */
  parameters: Readonly<Record<string, string>>
}

const text = Type.String({ minLength: 1, maxLength: 255 })

const scopeList = Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { minItems: 1, uniqueItems: true })

const ProviderEntry = closed({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
  displayName: text,
  issuer: text,
  clientId: text,
  clientSecret: Type.Optional(Type.String({ minLength: 1 })),
  clientSecretFile: Type.Optional(text),
  audience: Type.Optional(text),
  scopes: Type.Optional(scopeList),
  serviceAccounts: Type.Optional(Type.Boolean()),
  commandLine: Type.Optional(
    closed({
      clientId: text,
      scopes: Type.Optional(scopeList),
      parameters: Type.Optional(Type.Record(text, text)),
    }),
  ),
})

const ProviderFile = Type.Array(ProviderEntry, { maxItems: 50 })

/** Reads the file of MUSTER_OIDC_PROVIDERS_FILE. Throws a ConfigurationError if anything is wrong with it. */
export function readIdentityProviders(file: string): IdentityProvider[] {
  const refuse = (reason: string): never => {
    throw new ConfigurationError(`MUSTER_OIDC_PROVIDERS_FILE (${file}): ${reason}`)
  }
  const entries = parseProviders(read(file, refuse), refuse)
  for (const key of ['name', 'issuer'] as const)
    if (new Set(entries.map((entry) => entry[key])).size < entries.length) refuse(`two providers have the same ${key}.`)
  return entries.map((entry) => toProvider(entry, dirname(file), (reason) => refuse(`'${entry.name}': ${reason}`)))
}

type Refuse = (reason: string) => never

function toProvider(
  { clientSecret, clientSecretFile, ...entry }: Static<typeof ProviderEntry>,
  folder: string,
  refuse: Refuse,
): IdentityProvider {
  const { issuer, clientId, audience, scopes = ['openid'], serviceAccounts = false } = entry
  const fault = findIssuerFault(issuer)
  if (fault) refuse(`the issuer ${fault}.`)
  if (!scopes.includes('openid')) refuse("the scopes must include 'openid'.")
  // Otherwise ID tokens, which only prove a sign-in, would be accepted as access tokens.
  if (audience === clientId) refuse('the audience of access tokens must not be the client id.')
  if (entry.commandLine && audience === undefined) refuse('the commandLine needs an audience, to use the API.')
  if (audience !== undefined && audience === entry.commandLine?.clientId)
    refuse('the audience must not be the client id of the commandLine.')
  if (clientSecret !== undefined && clientSecretFile !== undefined)
    refuse('set clientSecret or clientSecretFile, not both.')
  const secret = clientSecretFile ? read(resolve(folder, clientSecretFile), refuse).trim() : clientSecret
  if (secret === '') refuse('the clientSecretFile is empty.')
  const { commandLine, ...others } = entry
  return {
    ...{ ...others, clientSecret: secret, audience, scopes, serviceAccounts },
    ...(commandLine && { commandLine: { ...commandLineDefaults(audience), ...commandLine } }),
  }
}

/**
 * As the standards define it: RFC 8707 for the audience, and OpenID Connect for the refresh token, without which people would
 * have to sign in again every hour.
 */
const commandLineDefaults = (audience = '') => ({
  scopes: ['openid', 'offline_access'],
  parameters: { resource: audience, prompt: 'consent' },
})

function findIssuerFault(issuer: string): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || url.username || url.password || url.search || url.hash)
    return 'must be a URL without user, query and fragment'
  return isTrustworthy(url) ? undefined : 'must start with https://; http:// is allowed for loopback addresses only'
}

/** Whether nobody on the network can change what is read from this URL. */
export function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
}

function read(file: string, refuse: Refuse): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(`cannot be read: ${(error as Error).message}.`)
  }
}

function parseProviders(content: string, refuse: Refuse): Static<typeof ProviderFile> {
  try {
    const entries: unknown = JSON.parse(content)
    validate('body', ProviderFile, entries)
    return entries as Static<typeof ProviderFile>
  } catch (error) {
    // The message of the JSON parser quotes the file, which may contain secrets.
    if (!(error instanceof Problem)) return refuse('is not valid JSON.')
    const [fault] = error.details.errors as { name: string; reason: string }[]
    return refuse(`${fault?.name ? `'${fault.name}'` : 'the file'} ${fault?.reason}.`)
  }
}
