import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/platform/configuration.ts'
import { ConfigurationError } from '../../src/platform/configuration-error.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'

const entry = {
  name: 'corporate',
  displayName: 'Corporate login',
  issuer: 'https://login.example.org/realms/main',
  clientId: 'muster',
}

async function readProviders(content: unknown) {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'secret'), 'from-a-file\n')
  writeFileSync(join(folder, 'empty'), '\n')
  const file = join(folder, 'providers.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readConfiguration({ MUSTER_OIDC_PROVIDERS_FILE: file }).identityProviders
}

describe('the file with the identity providers', () => {
  test('an identity provider needs four properties, and the others have defaults', async () => {
    expect(await readProviders([entry])).toEqual([
      { ...entry, clientSecret: undefined, audience: undefined, scopes: ['openid'], serviceAccounts: false },
    ])
  })

  test('all properties of an identity provider can be set, with the secret in a file next to the configuration', async () => {
    const more = {
      audience: 'https://muster.example.org',
      scopes: ['openid', 'profile'],
      serviceAccounts: true,
      commandLine: { clientId: 'muster-cli', scopes: ['openid', 'api'], parameters: {} },
    }

    const [provider] = await readProviders([{ ...entry, ...more, clientSecretFile: 'secret' }])

    expect(provider).toEqual({ ...entry, ...more, clientSecret: 'from-a-file' })
  })

  test('a command line asks for a refresh token unless it has other scopes', async () => {
    const more = { audience: 'https://muster.example.org', commandLine: { clientId: 'muster-cli' } }

    const [provider] = await readProviders([{ ...entry, ...more }])

    expect(provider?.commandLine).toEqual({
      clientId: 'muster-cli',
      scopes: ['openid', 'offline_access'],
      parameters: { resource: 'https://muster.example.org', prompt: 'consent' },
    })
  })

  test.each(['http://127.0.0.1:8080', 'http://localhost/realm', 'http://[::1]:9000'])(
    'an identity provider on the loopback address needs no TLS: %s',
    async (issuer) => {
      expect(await readProviders([{ ...entry, issuer }])).toMatchObject([{ issuer }])
    },
  )

  test.each<[string, unknown, string]>([
    ['is not JSON', '[{"clientSecret": "hush"', 'is not valid JSON'],
    ['is not a list', entry, 'must be array'],
    ['lacks a property', [{ ...entry, clientId: undefined }], "'0.clientId' is required"],
    ['has an unknown property', [{ ...entry, secret: 'x' }], "'0.secret' is an unknown property"],
    ['has a name that is not fit for a URL', [{ ...entry, name: 'My login' }], "'0.name'"],
    ['has two providers of one name', [entry, { ...entry, issuer: 'https://b.example.org' }], 'the same name'],
    ['has two providers of one issuer', [entry, { ...entry, name: 'second' }], 'the same issuer'],
    ['has an issuer without TLS', [{ ...entry, issuer: 'http://login.example.org' }], 'https://'],
    ['has an issuer that only looks like loopback', [{ ...entry, issuer: 'http://127.0.0.1.example.org' }], 'https://'],
    ['has an issuer that is not a URL', [{ ...entry, issuer: 'login' }], 'a URL'],
    ['has an issuer with a query', [{ ...entry, issuer: 'https://login.example.org/?a=b' }], 'without user, query'],
    ['has a command line without an audience', [{ ...entry, commandLine: { clientId: 'cli' } }], 'needs an audience'],
    [
      'accepts ID tokens of the command line',
      [{ ...entry, audience: 'cli', commandLine: { clientId: 'cli' } }],
      'must not be the client id of the commandLine',
    ],
    ['has the secret twice', [{ ...entry, clientSecret: 'hush', clientSecretFile: 'secret' }], 'not both'],
    ['has a secret file that is missing', [{ ...entry, clientSecretFile: 'missing' }], 'cannot be read'],
    ['has a secret file that is empty', [{ ...entry, clientSecretFile: 'empty' }], 'empty'],
    ['would accept ID tokens as access tokens', [{ ...entry, audience: 'muster' }], 'must not be the client id'],
    ['does not request the scope openid', [{ ...entry, scopes: ['profile'] }], "'openid'"],
  ])(
    'a file of identity providers that %s stops the start with a sentence that reveals no secret',
    async (_, content, sentence) => {
      const refused = await readProviders(content).catch((error: unknown) => error as Error)

      expect(refused).toBeInstanceOf(ConfigurationError)
      expect(refused).toHaveProperty('message', expect.stringContaining(sentence))
      expect(refused).toHaveProperty(
        'message',
        expect.stringMatching(/^MUSTER_OIDC_PROVIDERS_FILE \(.*providers\.json\)/),
      )
      expect(String(refused)).not.toContain('hush')
    },
  )

  test('a missing file of identity providers stops the start', () => {
    expect(() => readConfiguration({ MUSTER_OIDC_PROVIDERS_FILE: '/nowhere/providers.json' })).toThrow('cannot be read')
  })
})
