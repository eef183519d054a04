import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMusterClient, limitAnswer, pagesOf, requestAccessToken } from '@muster/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendJson, startFakeService } from './fake-service.ts'
import { canaries, openSandbox } from './sandbox.ts'

const service = await startFakeService(({ url = '' }, response) => {
  if (url === '/api/auth/token') return sendJson(response, { access_token: 'a', expires_in: 60 })
  if (url === '/api/service/whoami') return sendJson(response, { name: 'ci', roles: [] })
  sendJson(response, { items: [], totalCount: 0 })
})
const { root, muster, environment } = await openSandbox(service.address)

/** A service of another host, without TLS. */
const remote = 'http://muster.example.org'
/** Sends what is meant for the other host to the fake service. */
const send = (request: Request) => fetch(new Request(request.url.replace(remote, service.address), request))
const withUrl = (url: string) => ({ send, environment: { ...environment, MUSTER_URL: url } })

afterEach(() => {
  service.received = []
  vi.restoreAllMocks()
})

const signIn = ['--client-id', 'ci', '--secret-stdin']

test.each([
  remote,
  'http://192.0.2.1:5057',
  'http://127.0.0.1.example.org',
  'http://localhost.example.org',
  'http://[2001:db8::1]',
])('no credentials are sent to %s', async (url) => {
  const results = [
    await muster(['computers'], withUrl(url)),
    await muster(['login', url, ...signIn], { send, readInput: async () => canaries.secret }),
  ]

  for (const { code, err } of results) expect([code, err]).toEqual([2, expect.stringContaining('is not encrypted')])
  expect(service.received).toEqual([])
})

test.each([undefined, ''])('a secret of the environment is sent nowhere if MUSTER_URL is %j', async (url) => {
  const sent: string[] = []
  const { code, err } = await muster(['computers'], {
    environment: { ...environment, MUSTER_URL: url } as never,
    send: async ({ url: to }) => {
      sent.push(to)
      throw new TypeError('fetch failed')
    },
  })

  expect([code, err]).toEqual([2, expect.stringContaining('Set MUSTER_URL')])
  expect(sent).toEqual([])
})

test('--insecure allows it, says so aloud each time, and is remembered with the sign-in', async () => {
  const person = { send, environment: { XDG_CONFIG_HOME: join(root, 'settings') } }
  const warning = `Warning: ${remote} is not encrypted. Everybody in the network can read and change what is sent.\n`

  const once = await muster(['computers', '--insecure'], withUrl(remote))
  const login = await muster(['login', remote, ...signIn, '--insecure'], {
    ...person,
    readInput: async () => canaries.secret,
  })
  const later = await muster(['computers'], person)

  for (const { code, err } of [once, login, later]) expect([code, err]).toEqual([0, expect.stringContaining(warning)])
})

test('a sign-in without TLS of an earlier version is not used', async () => {
  const settings = join(root, 'earlier')
  await mkdir(join(settings, 'muster'), { recursive: true })
  const profile = { address: remote, clientId: 'ci', clientSecret: canaries.secret }
  const file = JSON.stringify({ current: 'old', profiles: { old: profile } })
  await writeFile(join(settings, 'muster/credentials.json'), file, { mode: 0o600 })

  const { code, err } = await muster(['computers'], { send, environment: { XDG_CONFIG_HOME: settings } })

  expect([code, err]).toEqual([2, expect.stringContaining('is not encrypted')])
  expect(service.received).toEqual([])
})

describe('the client', () => {
  test('refuses plain HTTP to other hosts, and other servers', async () => {
    expect(() => createMusterClient({ address: remote })).toThrow('is not encrypted')
    expect(() => createMusterClient({ address: remote, insecure: true })).not.toThrow()
    await expect(requestAccessToken(remote, { clientId: 'a', clientSecret: 'b' }, { send })).rejects.toThrow(
      'is not encrypted',
    )
    const client = createMusterClient({ address: service.address, credentials: { accessToken: 'a' } })
    await expect(client.send(new Request('http://127.0.0.1:9/steal'))).rejects.toMatchObject({ code: 'ForeignAddress' })
    expect(service.received).toEqual([])
  })

  test('ends a list whose pages do not end', async () => {
    let page = 0
    const list = (items: unknown[]) =>
      pagesOf(
        async () => ({
          data: { items },
          response: new Response(null, { headers: { link: `<?cursor=${++page}>; rel="next"` } }),
        }),
        100,
      )

    await expect(Array.fromAsync(list([1]))).rejects.toThrow('more than 100 pages')
    await expect(Array.fromAsync(list([]))).rejects.toThrow('do not end')
  })

  test('has limits by default', async () => {
    const chunk = new Uint8Array(8 * 1024 * 1024)
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(chunk) })

    await expect(limitAnswer(new Response(endless)).arrayBuffer()).rejects.toMatchObject({ code: 'InvalidAnswer' })
  })
})

describe('the file of the credentials', () => {
  const settings = join(root, 'mine')
  const file = join(settings, 'muster/credentials.json')
  const person = { environment: { XDG_CONFIG_HOME: settings }, readInput: async () => canaries.secret }
  const login = () => muster(['login', service.address, ...signIn], person)

  test('is private, and nothing that somebody has put in the way of its draft is followed', async () => {
    await mkdir(join(settings, 'muster'), { recursive: true })
    await symlink(join(root, 'outside/secret.txt'), `${file}.${process.pid}`)

    expect((await login()).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(join(root, 'outside/secret.txt'), 'utf8')).toBe(canaries.file)
  })

  test('of another user is not used', async () => {
    await login()
    vi.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(4_711)

    const { code, err } = await muster(['computers'], person)

    expect([code, err]).toEqual([2, expect.stringContaining('belongs to another user')])
  })

  test('that others can read is not used', async () => {
    await login()
    await chmod(file, 0o644)

    expect((await muster(['computers'], person)).err).toContain('Others can read')
  })
})
