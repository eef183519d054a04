import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { visibleLine } from '@muster/text'
import { beforeEach, expect, test } from 'vitest'
import { sendJson, startFakeService } from './fake-service.ts'
import { hostileText } from './hostile-answers.ts'
import { canaries, openSandbox } from './sandbox.ts'

type Change = { section: string; name: string; action: string; fields: unknown[]; blockers: unknown[] }
const change: Change = { section: 'tags', name: 'Mine', action: 'add', fields: [], blockers: [] }
const plan = { added: 1, changed: 0, removed: 0, secrets: [] as string[], missingRoles: [], changes: [change] }

/** What the service answers, beside a token. */
let answers: Record<string, unknown> = {}

const service = await startFakeService(({ url = '' }, response) => {
  const [path = ''] = url.split('?')
  if (path === '/api/auth/token') return sendJson(response, { access_token: 'a', expires_in: 60 })
  const answer = answers[path]
  sendJson(response, typeof answer === 'function' ? answer() : answer)
})
const { root, muster, environment } = await openSandbox(service.address)
let folder = ''

beforeEach(async () => {
  service.received = []
  answers = {
    '/api/catalog/state/plan': plan,
    '/api/catalog/state/apply': { applied: 1, remaining: 0, work: null },
  }
  folder = await mkdtemp(join(root, 'state-'))
  await writeFile(join(folder, 'tags.yaml'), 'tags:\n  - name: Mine\n')
})

const sent = () => service.received.map(({ text }) => text).join('\n')
const applied = () => service.received.filter(({ path }) => path === '/api/catalog/state/apply')

/** The folder names a secret. */
const nameSecret = (reference: string) =>
  writeFile(join(folder, 'groups.yaml'), `groups:\n  - path: A\n    variables:\n      - secret: ${reference}\n`)

const askFor = (...secrets: string[]) => {
  answers['/api/catalog/state/plan'] = { ...plan, secrets }
}

test.each(['env:AWS_SECRET_ACCESS_KEY', 'file:../outside/secret.txt', 'env:PATH', 'tags'])(
  'a plan that asks for %s, which the folder does not name, is refused',
  async (reference) => {
    await nameSecret('env:PRINT_PASSWORD')
    askFor('env:PRINT_PASSWORD', reference)

    for (const action of ['plan', 'apply']) {
      const { code, err } = await muster(['catalog', action, folder], {
        environment: { ...environment, PRINT_PASSWORD: 'known' },
      })

      expect(code).toBe(1)
      expect(err).toContain(`The service asks for secrets that the folder does not name: ${reference}.`)
    }
    expect(sent()).not.toMatch(new RegExp(`${canaries.environment}|${canaries.file}`))
    expect(applied()).toEqual([])
  },
)

test('a plan in a file that asks for other secrets is refused as well', async () => {
  const file = join(folder, '../plan.json')
  await writeFile(file, JSON.stringify({ ...plan, prune: false, secrets: ['env:AWS_SECRET_ACCESS_KEY'] }))

  const { code, err } = await muster(['catalog', 'apply', folder, '--plan', file])

  expect([code, err]).toEqual([1, expect.stringContaining('does not name: env:AWS_SECRET_ACCESS_KEY')])
  expect(sent()).not.toContain(canaries.environment)
})

test('secrets that the folder names are sent, wherever they are in it', async () => {
  await writeFile(join(folder, 'password'), 'of the file\n')
  await writeFile(
    join(folder, 'groups.yaml'),
    'groups:\n  - path: A\n    collections:\n      - entries:\n          - { Key: { secret: "file:password" } }\n',
  )
  askFor('file:password')

  const { code } = await muster(['catalog', 'apply', folder])

  expect(code).toBe(0)
  expect(applied()[0]?.text).toContain('"secrets":{"file:password":"of the file"}')
})

test.each(['env:AWS_SECRET_ACCESS_KEY', 'file:password', 'file:../outside/secret.txt'])(
  'an export that names %s does not make an apply read it',
  async (reference) => {
    await writeFile(join(folder, 'password'), canaries.file)
    answers['/api/catalog/state'] = {
      tags: [{ name: 'Mine', secret: reference, deep: [{ secret: reference }] }],
      groups: [
        {
          path: 'Configuration/A',
          secret: reference,
          variables: [{ variable: 'AWS.SECRET', secret: reference }],
          collections: [{ variable: 'Keys', entries: [{ secret: reference, Key: { secret: reference } }] }],
        },
      ],
    }
    expect(await muster(['catalog', 'export', folder])).toMatchObject({ code: 0 })
    askFor(reference)

    const { code, err } = await muster(['catalog', 'apply', folder])

    expect([code, err]).toEqual([1, expect.stringContaining('secrets that the folder does not name')])
    expect(sent()).not.toMatch(new RegExp(`${canaries.environment}|${canaries.file}`))
    const written = await readFile(join(folder, 'groups/Configuration/A.yaml'), 'utf8')
    expect(written).toMatch(/variable: AWS\.SECRET\n +secret: env:AWS_SECRET_[0-9A-F]{8}\n/)
    expect(written).toMatch(/Key:\n +secret: env:KEYS_KEY_[0-9A-F]{8}\n/)
  },
)

test.each([
  ['above the folder', 'file:../outside/secret.txt'],
  ['of an absolute path', () => `file:${join(root, 'outside/secret.txt')}`],
  ['behind a link', 'file:link'],
  ['behind a linked folder', 'file:linked/secret.txt'],
])('a file %s is not read, unless its folder is allowed', async (_, given) => {
  const reference = typeof given === 'function' ? given() : given
  await symlink(join(root, 'outside/secret.txt'), join(folder, 'link'))
  await symlink(join(root, 'outside'), join(folder, 'linked'))
  await nameSecret(reference)
  askFor(reference)

  const refused = await muster(['catalog', 'apply', folder])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is outside the folder')])
  expect(sent()).not.toContain(canaries.file)

  const allowed = await muster(['catalog', 'apply', folder, '--secret-folder', join(root, 'outside')])
  expect(allowed.code).toBe(0)
  expect(applied()[0]?.text).toContain(canaries.file)
})

test('a service that never has applied everything is left', async () => {
  answers['/api/catalog/state/apply'] = { applied: 0, remaining: 1, work: null }

  const { code, err } = await muster(['catalog', 'apply', folder])

  expect([code, err]).toEqual([1, expect.stringContaining('The service makes no progress')])
  expect(applied().length).toBeLessThan(3)
})

test.each(
  [
    ...['../../../outside/pwned', '../outside/pwned', '/tmp/pwned', 'tags/../../outside/pwned', hostileText],
    ...['__proto__', 'constructor', 'newSection'],
  ].map((section) => [visibleLine(section), section]),
)('the section %s becomes no file, and nothing is written', async (_, section) => {
  const target = join(folder, 'target')
  answers['/api/catalog/state'] = JSON.parse(`{"tags": [{"name": "First"}], ${JSON.stringify(section)}: [{}]}`)

  const { code, err } = await muster(['catalog', 'export', target])

  expect([code, err]).toEqual([1, expect.stringContaining('which this command does not know')])
  expect(await readdir(folder)).toEqual(['tags.yaml'])
  expect(await readdir(join(root, 'outside'))).toEqual(['secret.txt'])
})

test('groups with hostile paths stay in the folder', async () => {
  const paths = ['../../../outside/pwned', '..', '../..', '/etc', '.', '', hostileText, 'con/nul.txt', '.git/config']
  answers['/api/catalog/state'] = { groups: paths.map((path) => ({ path })) }

  const { code } = await muster(['catalog', 'export', folder])
  const written = await readdir(folder, { recursive: true })

  expect(code).toBe(0)
  expect(written.filter((name) => name.endsWith('.yaml')).length).toBeGreaterThan(5)
  expect(written.filter((name) => /(^|\/)(\.git|con|nul)\b/i.test(name))).toEqual([])
  expect(await readdir(join(root, 'outside'))).toEqual(['secret.txt'])
})

test('groups get different files, whatever a file system takes for the same name', async () => {
  const long = 'ü'.repeat(400)
  const paths = ['C/Berlin', 'C/BERLIN', 'C/berlin/x', '/etc', 'etc', '_/etc', `C/${long}a`, `C/${long}b`, `${long}/a`]
  answers['/api/catalog/state'] = { groups: paths.map((path) => ({ path })) }

  const { code } = await muster(['catalog', 'export', folder])
  const written = await readdir(join(folder, 'groups'), { recursive: true })
  const files = written.filter((name) => name.endsWith('.yaml'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, 'groups', name), 'utf8')))

  expect(code).toBe(0)
  expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(paths.length)
  expect(texts.join('').match(/- path:/g)).toHaveLength(paths.length)
})

test('a plan of the service sets no options of a later apply', async () => {
  answers['/api/catalog/state/plan'] = { ...plan, prune: true, yes: true }
  const file = join(folder, '../saved.json')

  await muster(['catalog', 'plan', folder, '--plan', file])

  expect(Object.keys(JSON.parse(await readFile(file, 'utf8')))).not.toContain('yes')
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ prune: false })
})

test('a plan that removes more than it counts is refused', async () => {
  answers['/api/catalog/state/plan'] = { ...plan, changes: [{ ...change, action: 'remove' }] }

  const { code, err } = await muster(['catalog', 'apply', folder])

  expect([code, err]).toEqual([1, expect.stringContaining('did not answer with a plan')])
  expect(applied()).toEqual([])
})

test('an export neither writes nor deletes through links', async () => {
  await writeFile(join(root, 'outside/groups.yaml'), 'mine')
  answers['/api/catalog/state'] = { tags: [{ name: 'New' }], groups: [{ path: 'A/B' }] }
  const [linkedFile, linkedGroups, linkedBelow] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')]
  for (const one of [linkedFile, linkedGroups, join(linkedBelow, 'groups')]) await mkdir(one, { recursive: true })
  await symlink(join(root, 'outside/secret.txt'), join(linkedFile, 'tags.yaml'))
  await symlink(join(root, 'outside'), join(linkedGroups, 'groups'))
  await symlink(join(root, 'outside'), join(linkedBelow, 'groups/A'))

  await writeFile(join(linkedBelow, 'groups/Old.yaml'), 'groups: []')

  const replaced = await muster(['catalog', 'export', linkedFile])
  const refused = [await muster(['catalog', 'export', linkedGroups]), await muster(['catalog', 'export', linkedBelow])]

  expect(replaced.code).toBe(0)
  // An export that fails leaves what is there, and nothing of its own.
  expect((await readdir(join(linkedBelow, 'groups'))).sort()).toEqual(['A', 'Old.yaml'])
  expect(await readdir(linkedBelow)).toEqual(['groups'])
  expect(await readFile(join(linkedFile, 'tags.yaml'), 'utf8')).toContain('New')
  for (const { code, err } of refused)
    expect([code, err]).toEqual([1, expect.stringContaining('is a link that leads out')])
  expect(await readFile(join(root, 'outside/secret.txt'), 'utf8')).toBe(canaries.file)
  expect((await readdir(join(root, 'outside'))).sort()).toEqual(['groups.yaml', 'secret.txt'])
})
