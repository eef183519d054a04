import { request as send } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { servePage } from '../../src/self-service/page-server.ts'
import { type AgentConnection, RefusedByAgent } from '../../src/user-channel/connect.ts'
import type { UserRequest, UserView } from '../../src/user-channel/messages.ts'
import { softwareItem } from '../user-channel/users.ts'

const view: UserView = {
  ...{ agentVersion: '1', user: 'mia', asOfUtc: null, isCurrent: true, lastContactUtc: null, suspendedUntil: null },
  ...{ postponedUntilUtc: null, isRebootRequired: false, current: null, warnings: [], history: [], requests: [] },
  software: [softwareItem()].map((item) => ({ ...item, isTaken: false, percent: null })),
}

type Answers = Partial<Record<UserRequest['verb'], object>>

async function openPage(answers: Answers = {}, limits: Parameters<typeof servePage>[1] = {}) {
  const asked: UserRequest[] = []
  const agent: AgentConnection = {
    user: 'mia',
    ask: async (request) => {
      asked.push(request)
      const answer = { view, ...answers }[request.verb]
      if (!answer) throw new RefusedByAgent({ refused: 'NotOffered', message: 'No.' })
      return answer as never
    },
    isOpen: () => true,
    close() {},
  }
  const page = await servePage(async () => agent, limits)
  onTestFinished(() => page.close())
  const { origin } = new URL(page.address)
  return { ...page, asked, origin }
}

type Options = { method?: string; headers?: Record<string, string>; body?: string }

/** A request with headers that `fetch` does not let a caller choose. */
function ask(address: string, { method = 'GET', headers = {}, body = '' }: Options = {}) {
  return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const sent = send(address, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** A browser that has exchanged the token. */
async function signIn(page: { address: string; origin: string }) {
  const { headers, text } = await ask(page.address)
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const folder = /url=([^"]+)"/.exec(text)?.[1] ?? ''
  const form = { cookie, origin: page.origin, 'content-type': 'application/x-www-form-urlencoded' }
  return {
    cookie,
    folder: `${page.origin}${folder}`,
    setCookie: String(headers['set-cookie']),
    get: (path: string, own: Record<string, string> = {}) =>
      ask(`${page.origin}${folder}${path}`, { headers: { cookie, ...own } }),
    post: (path: string, body: string, own: Record<string, string> = {}) =>
      ask(`${page.origin}${folder}${path}`, { method: 'POST', headers: { ...form, ...own }, body }),
  }
}

test('the page warns of work that begins at its deadline at the latest, and names the programs to close', async () => {
  const warning = {
    ...{ workId: 1, kind: 'Update' as const, package: { name: 'Editor', version: '2' }, reason: null, untilUtc: null },
    ...{ deadlineUtc: '2026-03-01T10:00:00Z', remaining: 1, programs: ['editor.bin'], notifiedUtc: null },
  }
  const page = await openPage({ view: { ...view, warnings: [warning] } })
  const { folder, cookie } = await signIn(page)

  const { text } = await ask(`${folder}?lang=en`, { headers: { cookie } })

  expect(text).toMatch(/Update: Editor 2\. It begins on .*2026.* at the latest\./)
  expect(text).toContain('close editor.bin')
})

test('the token of the address works once, for a cookie that scripts and other pages do not get', async () => {
  const page = await openPage()
  const { setCookie, folder, get } = await signIn(page)

  const again = await ask(page.address)

  expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/s\/[\w-]{32}\/$/)
  expect(setCookie).toContain(`Path=${new URL(folder).pathname}`)
  expect((await get('')).text).toContain('Greeting')
  expect(again.status).toBe(403)
})

test('a token that nobody has used in time opens nothing', async () => {
  const page = await openPage({}, { tokenLifeMs: 0 })

  expect((await ask(page.address)).status).toBe(403)
})

test.each([
  ['without the cookie', async ({ folder }: SignedIn) => ask(folder)],
  ['with a wrong cookie', async ({ folder }: SignedIn) => ask(folder, { headers: { cookie: 'muster-session=x' } })],
  [
    'outside of its folder',
    async ({ cookie, folder }: SignedIn) => ask(new URL('/', folder).href, { headers: { cookie } }),
  ],
  ['under the name of another host', async ({ get }: SignedIn) => get('', { host: 'muster.example.org' })],
  [
    'for a form of another page',
    async ({ post }: SignedIn) => post('take', 'packageId=11', { origin: 'http://127.0.0.1:9' }),
  ],
  ['for a form without an origin', async ({ post }: SignedIn) => post('take', 'packageId=11', { origin: 'null' })],
])('the page answers nothing %s', async (_, attempt) => {
  const page = await openPage()
  const answer = await attempt(await signIn(page))

  expect(answer.status).toBe(403)
  expect(answer.text).not.toContain('Greeting')
  expect(page.asked).toEqual([])
})

test('no answer may be framed, guessed or kept, or load anything from elsewhere', async () => {
  const page = await openPage()
  const { get } = await signIn(page)

  for (const path of ['', 'part', 'style.css', 'script.js', 'nothing'])
    expect((await get(path)).headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
})

test('texts of packages, administrators and users are text, whatever they contain', async () => {
  const evil = '<script>alert(1)</script>"\' onload=x \u202e'
  const item = softwareItem({ name: evil, version: evil, description: evil, category: evil, packageId: evil })
  const hostile: UserView = {
    ...view,
    user: evil,
    software: [{ ...item, isTaken: false, percent: null }],
    history: [{ name: evil, version: evil, result: evil as never, action: evil, atUtc: '2026-01-01T00:00:00Z' }],
    requests: [
      {
        requestId: 'r',
        wish: evil,
        user: evil,
        state: evil as never,
        answer: evil,
        requestedUtc: '2026-01-01T00:00:00Z',
      },
    ],
  }
  const page = await openPage({ view: hostile })
  const { text } = await (await signIn(page)).get(
    `?search=${encodeURIComponent(evil)}&category=${encodeURIComponent(evil)}`,
  )

  expect(text).not.toContain('<script>alert')
  expect(text).not.toContain('\u202e')
  expect(text.match(/<script/g)).toHaveLength(1)
})

test('a form does what its user has chosen, and the next page says so once', async () => {
  const page = await openPage({ take: { name: 'Greeting', version: '1.2.0' } })
  const { get, post } = await signIn(page)

  const taken = await post('take', 'packageId=11')
  const [next, later] = [await get(''), await get('')]

  expect(taken.status).toBe(303)
  expect(page.asked[0]).toEqual({ verb: 'take', packageId: '11' })
  expect(next.text).toContain('Greeting is requested.')
  expect(later.text).not.toContain('Greeting is requested.')
})

test('the page after a form shows what became of it even if the list cannot be read at that moment', async () => {
  const answers: Answers = { take: { name: 'Greeting', version: '1.2.0' } }
  const page = await openPage(answers)
  const { get, post } = await signIn(page)

  await post('take', 'packageId=11')
  Object.assign(answers, { view: undefined })
  const next = await get('?lang=en')

  expect(next.text).toContain('Greeting is requested.')
})

test('what the agent refuses is explained in the language of the page', async () => {
  const page = await openPage()
  const { folder, get, post } = await signIn(page)

  await post('take', 'packageId=12', { referer: `${folder}?lang=de` })

  expect((await get('?lang=de')).text).toContain('Diese Software wird nicht mehr angeboten.')
})

test('the language is that of the browser, unless the user has chosen one', async () => {
  const { get } = await signIn(await openPage())
  const languageOf = async (path: string, accepted: string) =>
    /<html lang="(\w+)">/.exec((await get(path, { 'accept-language': accepted })).text)?.[1]

  expect(await languageOf('', 'fr-FR, de-AT;q=0.8, en;q=0.5')).toBe('de')
  expect(await languageOf('', 'fr-FR')).toBe('en')
  expect(await languageOf('?lang=en', 'de')).toBe('en')
})

test('the page ends by itself when nobody uses it', async () => {
  const page = await openPage({}, { idleLimitMs: 1 })

  await page.ended

  await expect(ask(page.address)).rejects.toThrow()
})

test('a form that is too large is refused', async () => {
  const { post } = await signIn(await openPage())

  await expect(post('request', `wish=${'x'.repeat(20_000)}`)).resolves.toMatchObject({ status: 500 })
})

type SignedIn = Awaited<ReturnType<typeof signIn>>
