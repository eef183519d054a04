import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError } from '../configuration-error.ts'
import { Problem } from '../problem.ts'
import { closed, type Static, Type } from '../schema.ts'
import { validate } from '../validation.ts'

/** An OpenID Connect provider that the configuration names. */
export type IdentityProvider = {
  /** Stands in addresses. */
  name: string
  displayName: string
  /** Exactly as the provider calls itself in its tokens. */
  issuer: string
  clientId: string
  /** Undefined for a public client, which has nothing but the proof of its code (PKCE). */
  clientSecret: string | undefined
  /** What its access tokens for the API must be meant for; without it, none is accepted. */
  audience: string | undefined
  scopes: readonly string[]
  /** Whether it gives its clients subject ids of their own, instead of their client ids. */
  serviceAccounts: boolean
}

const text = Type.String({ minLength: 1, maxLength: 255 })

const ProviderEntry = closed({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
  displayName: text,
  issuer: text,
  clientId: text,
  clientSecret: Type.Optional(Type.String({ minLength: 1 })),
  clientSecretFile: Type.Optional(text),
  audience: Type.Optional(text),
  scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { minItems: 1, uniqueItems: true })),
  serviceAccounts: Type.Optional(Type.Boolean()),
})

const ProviderFile = Type.Array(ProviderEntry, { maxItems: 50 })

/** Reads the file with the providers; whatever is wrong with it stops the start with a sentence. */
export function readIdentityProviders(file: string): IdentityProvider[] {
  const refuse = (reason: string): never => {
    throw new ConfigurationError(`MUSTER_OIDC_PROVIDERS_FILE (${file}): ${reason}`)
  }
  const entries = parsed(read(file, refuse), refuse)
  for (const key of ['name', 'issuer'] as const)
    if (new Set(entries.map((entry) => entry[key])).size < entries.length) refuse(`two providers have the same ${key}.`)
  return entries.map((entry) => providerOf(entry, dirname(file), (reason) => refuse(`'${entry.name}': ${reason}`)))
}

type Refuse = (reason: string) => never

function providerOf(
  { clientSecret, clientSecretFile, ...entry }: Static<typeof ProviderEntry>,
  folder: string,
  refuse: Refuse,
): IdentityProvider {
  const { issuer, clientId, audience, scopes = ['openid'], serviceAccounts = false } = entry
  const fault = issuerFault(issuer)
  if (fault) refuse(`the issuer ${fault}.`)
  if (!scopes.includes('openid')) refuse("the scopes must include 'openid'.")
  // Otherwise an ID token, which is proof of a sign-in and no more, would open the API.
  if (audience === clientId) refuse('the audience of access tokens must not be the client id.')
  if (clientSecret !== undefined && clientSecretFile !== undefined)
    refuse('there must be a clientSecret or a clientSecretFile, not both.')
  const secret = clientSecretFile ? read(resolve(folder, clientSecretFile), refuse).trim() : clientSecret
  if (secret === '') refuse('the clientSecretFile is empty.')
  return { ...entry, clientSecret: secret, audience, scopes, serviceAccounts }
}

function issuerFault(issuer: string): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || url.username || url.password || url.search || url.hash)
    return 'must be an address without user, query and fragment'
  return isTrustworthy(url) ? undefined : 'must begin with https://; http:// is for loopback only'
}

/** Whether nobody in between can change what is read from there. */
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

function parsed(content: string, refuse: Refuse): Static<typeof ProviderFile> {
  try {
    const entries: unknown = JSON.parse(content)
    validate('body', ProviderFile, entries)
    return entries as Static<typeof ProviderFile>
  } catch (error) {
    // The message of the JSON parser quotes the file, which may hold secrets.
    if (!(error instanceof Problem)) return refuse('is not valid JSON.')
    const [fault] = error.details.errors as { name: string; reason: string }[]
    return refuse(`${fault?.name ? `'${fault.name}'` : 'the whole'} ${fault?.reason}.`)
  }
}
