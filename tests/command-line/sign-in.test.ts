import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const { address, credentials, musterOn, settings } = await commandsIn(await openWorld())
const file = join(settings, 'muster/credentials.json')

/** No credentials in the environment, as on the computer of a person. */
const person = { environment: { XDG_CONFIG_HOME: settings } }
const muster = (...args: string[]) => musterOn(person, ...args)
const { clientId, clientSecret } = credentials

test('without a sign-in, a command is wrong use and says how to sign in', async () => {
  expect(await muster('computers')).toMatchObject({ code: 2, err: 'Nobody has signed in. Run: muster login ADDRESS\n' })
})

test('a sign-in is remembered in a file that only its owner can read', async () => {
  const login = await musterOn(
    { ...person, readInput: async () => `${clientSecret}\n` },
    ...['login', address, '--client-id', clientId, '--secret-stdin'],
  )

  expect(login).toMatchObject({ code: 0, err: '' })
  expect(login.out).toContain(`Signed in to ${address} as `)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
  expect(await muster('computers')).toMatchObject({ code: 0 })
})

test('later commands use the access token of the sign-in', async () => {
  const { profiles } = JSON.parse(await readFile(file, 'utf8')) as { profiles: Record<string, { token: unknown }> }

  await muster('status')

  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ current: new URL(address).host, profiles })
})

test('a profile that is named takes precedence over credentials in the environment', async () => {
  const environment = {
    ...person.environment,
    MUSTER_URL: 'http://127.0.0.1:9',
    MUSTER_CLIENT_ID: 'other',
    MUSTER_CLIENT_SECRET: 'other',
  }

  const named = await musterOn({ environment }, 'computers', '--profile', new URL(address).host)
  const unnamed = await musterOn({ environment }, 'computers')

  expect(named).toMatchObject({ code: 0, err: '' })
  expect(unnamed.err).toContain('Cannot reach http://127.0.0.1:9')
})

test('a sign-in that the service does not accept is not stored', async () => {
  const send = async (request: Request) =>
    request.url.endsWith('/whoami') ? Response.json({ code: 'Forbidden' }, { status: 403 }) : fetch(request)
  const login = await musterOn(
    { ...person, send, readInput: async () => clientSecret },
    ...['login', address, '--client-id', clientId, '--secret-stdin', '--as', 'refused'],
  )

  expect(login.code).toBe(1)
  expect(await readFile(file, 'utf8')).not.toContain('refused')
})

test('the lock of a command that was killed does not block others forever', async () => {
  await writeFile(`${file}.lock`, '')
  // Every look at the clock is 20 seconds later.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20_000
    return now
  })
  onTestFinished(() => clock.mockRestore())

  const login = await musterOn(
    { ...person, readInput: async () => clientSecret },
    ...['login', address, '--client-id', clientId, '--secret-stdin', '--as', 'after'],
  )

  expect(login.code).toBe(0)
})

test('a file that others can read is not used', async () => {
  await chmod(file, 0o644)
  const { code, err } = await muster('status')
  await chmod(file, 0o600)

  expect(code).toBe(2)
  expect(err).toContain('chmod 600')
})

test('the secret is asked for on a terminal, and cannot be an argument', async () => {
  const questions: string[] = []
  const askSecret = async (question: string) => {
    questions.push(question)
    return clientSecret
  }

  const asked = await musterOn({ ...person, askSecret }, 'login', address, '--client-id', clientId, '--as', 'second')
  const argument = await muster('login', address, '--client-id', clientId, '--secret', clientSecret)

  expect(asked.code).toBe(0)
  expect(questions).toEqual([`Secret of ${clientId}: `])
  expect(argument).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--secret'") })
})

test('a wrong secret is a failure, and nothing is stored', async () => {
  const wrong = await musterOn(
    { ...person, readInput: async () => 'wrong' },
    ...['login', address, '--client-id', clientId, '--secret-stdin', '--as', 'wrong'],
  )

  expect(wrong.code).toBe(1)
  expect(wrong.err).toContain('Wrong client ID or secret')
  expect((await muster('status', '--profile', 'wrong')).err).toContain('There is no profile "wrong". Profiles: ')
})

test('without an identity provider, a sign-in needs the client ID of a local principal', async () => {
  const login = await muster('login', address)

  expect(login.code).toBe(2)
  expect(login.err).toContain('The service has no identity provider for this command.')
})

test('after a sign-out, the credentials are gone', async () => {
  const logout = await muster('logout', new URL(address).host)

  expect(logout.code).toBe(0)
  expect((await muster('status', '--profile', new URL(address).host)).err).toContain('There is no profile')
})

test('a token that has expired is renewed through the terminal, and a service that is away is named', async () => {
  const login = ['login', address, '--client-id', clientId, '--secret-stdin', '--as', 'expired']
  await musterOn({ ...person, readInput: async () => clientSecret }, ...login)
  const stored = JSON.parse(await readFile(file, 'utf8')) as { profiles: Record<string, { token: object }> }
  const expire = () => {
    Object.assign(stored.profiles.expired?.token ?? {}, { expiresAt: 0 })
    return writeFile(file, JSON.stringify(stored))
  }
  const requested: string[] = []
  const send = async (request: Request) => {
    requested.push(new URL(request.url).pathname)
    return fetch(request)
  }
  const away = async () => {
    throw new TypeError('fetch failed', { cause: { code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'try Node.js' } })
  }

  await expire()
  const renewed = await musterOn({ ...person, send }, 'issues', 'low-disk', '--profile', 'expired')
  await expire()
  const refused = await musterOn({ ...person, send: away }, 'issues', 'low-disk', '--profile', 'expired')

  expect(renewed).toMatchObject({ code: 0, err: '' })
  expect(requested[0]).toBe('/api/auth/token')
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/^Cannot reach \S+ this computer does not trust the certificate of the service\. Add /)
})

test('an address other than that of the sign-in is refused, so nobody changes the wrong service', async () => {
  const login = ['login', address, '--client-id', clientId, '--secret-stdin', '--as', 'mine']
  await musterOn({ ...person, readInput: async () => clientSecret }, ...login)
  const on = (url: string, ...args: string[]) =>
    musterOn({ environment: { ...person.environment, MUSTER_URL: url } }, 'issues', 'low-disk', ...args)

  const other = await on('https://other.example.org')

  expect(other.code).toBe(2)
  expect(other.err).toContain('MUSTER_URL is https://other.example.org, but the sign-in "mine" is for ')
  expect((await on(address)).code).toBe(0)
  expect((await on('https://other.example.org', '--profile', 'mine')).code).toBe(0)
  expect(await on('nonsense://x')).toMatchObject({ code: 2, err: expect.stringContaining('is not an address') })
  expect(await muster('login', 'ftp://files.example.org')).toMatchObject({ code: 2 })
})

test('a file that is no JSON is a failure that names it', async () => {
  const content = await readFile(file)
  await writeFile(file, '{broken')
  const { code, err } = await muster('status')
  await writeFile(file, content)

  expect(code).toBe(1)
  expect(err).toMatch(/^\S+credentials\.json cannot be read: .*\nDelete it and sign in again\.\n$/)
})
