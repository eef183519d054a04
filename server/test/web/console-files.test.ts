import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { consoleSections } from '../../src/web/console-files.ts'
import { openWorld } from '../world/open-world.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

const { app: world, database } = await openWorld()
const temporary = await openTemporaryFolder()
afterAll(() => rm(temporary, { recursive: true }))
const script = 'console.log("the pages")'
const index =
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style><title>Muster</title>'

async function serving(folder: string) {
  const app = await buildApp({ database, configuration: world.services.configuration, consoleFolder: folder })
  afterAll(() => app.http.close())
  return (url: string, options: { headers?: Record<string, string>; method?: 'GET' | 'HEAD' } = {}) =>
    app.http.inject({ method: 'GET', url, ...options })
}

async function builtPages() {
  const folder = join(temporary, 'built')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), index)
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, '.env'), 'SECRET=1')
  await writeFile(join(folder, '../secret.txt'), 'outside')
  await writeFile(join(folder, 'assets/main-4f3a.js'), script)
  await writeFile(join(folder, 'assets/main-4f3a.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'assets/main-4f3a.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'assets/main-4f3a.css'), 'body{}')
  await mkdir(join(folder, 'help/guides'), { recursive: true })
  await writeFile(join(folder, 'help/guides/index.html'), '<title>Guides</title>')
  await writeFile(join(folder, 'help/.hidden.html'), 'SECRET=2')
  return serving(folder)
}

const get = await builtPages()
const later = join(temporary, 'later')
const getLater = await serving(later)

describe('the page of the console', () => {
  test.each([
    '/',
    '/computers',
    '/groups/7/members',
    '/admin',
    '/admin/',
    '/admin/principals',
    '/admin/sign-in?error=UnknownUser',
    '/admin/audit/17',
  ])('the console is served at %s, and browsers must revalidate it', async (url) => {
    const page = await get(url)

    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(page.body).toContain('<title>Muster</title>')
  })

  test('the console may load only its own files and styles with its nonce, which is new for each request', async () => {
    const [first, second] = [await get('/admin/'), await get('/admin/')]

    const policy = String(first.headers['content-security-policy'])
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
    expect(first.body.split(nonce)).toHaveLength(3)
    expect(first.body).not.toContain('__CSP_NONCE__')
    expect(second.headers['content-security-policy']).not.toBe(policy)
  })

  test('the console answers HEAD like GET, without the body', async () => {
    const [page, asset] = [
      await get('/admin/', { method: 'HEAD' }),
      await get('/assets/main-4f3a.js', { method: 'HEAD' }),
    ]

    expect([page.statusCode, page.body, asset.statusCode, asset.body]).toEqual([200, '', 200, ''])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

describe('an asset', () => {
  test('an asset may be cached forever', async () => {
    const { headers, body } = await get('/assets/main-4f3a.js')

    expect(body).toBe(script)
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  test.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])('an asset is sent with the encoding %s to a client that accepts %s', async (encoding, accepted) => {
    const { headers, rawPayload } = await get('/assets/main-4f3a.js', {
      headers: { 'accept-encoding': accepted },
    })

    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-type']).toContain('javascript')
    expect(String(headers.vary).toLowerCase()).toContain('accept-encoding')
    if (encoding === 'br') expect(brotliDecompressSync(rawPayload).toString()).toBe(script)
  })

  test('an asset without a compressed version is sent uncompressed', async () => {
    const { headers, body } = await get('/assets/main-4f3a.css', { headers: { 'accept-encoding': 'br, gzip' } })

    expect([headers['content-encoding'], body]).toEqual([undefined, 'body{}'])
  })
})

test.each([
  '/assets/unknown.js',
  '/assets/',
  '/assets/main',
  '/admin/unknown.txt',
  '/admin/.env',
  '/admin/../secret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets//main-4f3a.js',
  '/admin/%2e%2e/secret.txt',
])('%s is not found, and nobody remembers that', async (url) => {
  const answer = await get(url)

  expect(answer.json()).toMatchObject({ status: 404, code: 'NotFound' })
  expect(answer.headers['cache-control']).toBe('no-store')
})

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test.each(['/nowhere', '/package', '/admin/unknown.txt', '/Computers/7'])(
  'people who open the unknown address %s get the console, which says that there is no such page',
  async (url) => {
    const opened = await get(url, { headers: navigation })
    const requested = await get(url)

    expect([opened.statusCode, opened.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(opened.headers['content-security-policy']).toContain("default-src 'none'")
    expect(requested.json()).toMatchObject({ status: 404, code: 'NotFound' })
  },
)

test.each(['/api/nowhere', '/api', '/agent/v1/nowhere', '/health/nowhere', '/install/nowhere', '/assets/nowhere.js'])(
  'below the address of an interface, people get a problem as well: %s',
  async (url) => {
    const answer = await get(url, { headers: navigation })

    expect(answer.json()).toMatchObject({ status: 404, code: 'NotFound' })
  },
)

test('every page of the console is served at its address and can be reloaded', async () => {
  const routes = await readFile(join(import.meta.dirname, '../../../console/src/shell/routes.tsx'), 'utf8')
  const sections = new Set([...routes.matchAll(/'\/([\w-]+)/g)].map(([, section]) => section))

  expect(sections.size).toBeGreaterThan(8)
  expect([...sections].sort()).toEqual([...consoleSections].sort())
})

test('the page of the console never contains the placeholder of the nonce, even if it is requested by its file name', async () => {
  expect((await get('/admin/index.html')).body).not.toContain('__CSP_NONCE__')
})

test('a service without a built console says so and works, and serves the console once it is built', async () => {
  const missing = await getLater('/admin/')
  const unknown = await getLater('/assets/main.js')
  await mkdir(later)
  await writeFile(join(later, 'index.html'), index)
  const built = await getLater('/admin/')

  expect(missing.json()).toMatchObject({
    status: 503,
    code: 'PagesNotBuilt',
    detail: expect.stringContaining('npm run'),
  })
  expect(unknown.statusCode).toBe(404)
  expect((await getLater('/admin/features')).statusCode).toBe(200)
  expect(built.statusCode).toBe(200)
})

describe('the help', () => {
  test('guides are served without a session, with a policy that allows nothing inline, and browsers must revalidate them', async () => {
    const guide = await get('/help/guides/index.html')

    expect(guide.statusCode).toBe(200)
    expect(guide.body).toContain('<title>Guides</title>')
    expect(guide.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-frame-options': 'DENY' })
    expect(guide.headers['content-type']).toMatch(/^text\/html/)
    const policy = String(guide.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'")
    expect(policy).not.toContain('unsafe')
  })

  test.each(['/help', '/help/', '/help/guides/'])('%s leads to the list of the guides', async (url) => {
    const answer = await get(url)

    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/help/guides/index.html'])
  })

  test.each(['/help/none.html', '/help/.hidden.html', '/help/../index.html', '/help/..%2findex.html'])(
    '%s is not a way to another file',
    async (url) => {
      expect((await get(url)).body).not.toMatch(/SECRET|<title>/)
    },
  )
})
