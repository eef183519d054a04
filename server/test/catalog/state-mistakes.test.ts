import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyStateFolder, connectToService, planStateFolder, requireUnblocked } from '@muster/desired-state'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { roleNames } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { app, db, given } = await openWorld()
const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
const { clientId, secret } = await given.localPrincipal({ roles: roleNames })
const call = connectToService({ MUSTER_URL: address, MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: secret })

const root = await mkdtemp(join(tmpdir(), 'muster-mistakes-'))
afterAll(() => rm(root, { recursive: true }))
let folder = ''
let before: Awaited<ReturnType<typeof fingerprints>>

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'state-'))
  await call('GET', '/api/catalog/state')
  before = await fingerprints(db)
})

afterEach(async () => expect(await fingerprints(db)).toEqual(before))

const write = (name: string, ...lines: string[]) => writeFile(join(folder, name), `${lines.join('\n')}\n`)

/** Applies the folder and returns what is printed, and then why it was refused. */
async function refusal(command: typeof applyStateFolder = applyStateFolder): Promise<string> {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const options = { folder, prune: false, environment: {}, print, showProgress: () => {} }
  try {
    const plan = await command(call, options)
    if (command === planStateFolder) requireUnblocked(plan)
    print('Nothing was refused.')
  } catch (error) {
    print((error as Error).message)
  }
  return lines.join('\n')
}

test('a file that is not YAML is refused with its line and column', async () => {
  await write('tags.yaml', 'tags:', '  - name: Fine')
  await write('groups.yaml', 'groups:', '  - path: Assignment/One', '   description: indented wrongly')

  expect(await refusal()).toMatch(/^groups\.yaml:3:\d+: /)
})

test('a property that occurs twice is refused with its place', async () => {
  await write('groups.yaml', 'groups:', '  - path: Assignment/One', '    path: Assignment/Two')

  expect(await refusal()).toMatch(/^groups\.yaml:3:5: Map keys must be unique/)
})

test('a file of JSON with a mistake is refused with its place', async () => {
  await write('groups.json', '{', '  "groups": [ { "path": "Assignment/One" }', '}')

  expect(await refusal()).toMatch(/^groups\.json:\d:\d+: /)
})

test('an unknown property is named with the file and the line, whichever file and position the object has', async () => {
  await write('a.yaml', 'groups:', '  - path: Assignment/One', '  - path: Assignment/Two')
  await write(
    'b.yaml',
    'groups:',
    '  - path: Assignment/Three',
    '    rule:',
    '      criteria:',
    '        name: [till-1]',
  )

  expect(await refusal()).toBe("b.yaml:5: 'rule.criteria.name' is an unknown property")
})

test('an unknown section, a missing property and a wrong value are named with their places', async () => {
  await write('a.yaml', 'tags: []', 'group:', '  - path: Assignment/One')
  const section = await refusal()
  await write('a.yaml', 'webhooks:', '  - name: Chat')
  const missing = await refusal()
  await write('a.yaml', 'groups:', '  - path: Assignment/One', '    kind: Other')
  const value = await refusal()

  expect(section).toBe("a.yaml:2: 'group' is an unknown property")
  expect(missing).toBe("a.yaml:2: 'url' is required")
  expect(value).toBe("a.yaml:3: 'kind' must be one of Ordinary, EOL, Restore")
})

test.each([
  ['groups', 'path: Assignment/One', 'Assignment/One'],
  ['tags', 'name: One', 'One'],
  ['webhooks', 'name: One\n    url: https://chat.example.org/', 'One'],
  ['principals', 'kind: user\n    subject: one\n    issuer: null\n    roles: []', 'one'],
  ['customFields', 'slot: Custom01\n    name: Room\n    active: true', 'Custom01'],
  ['softwareClasses', 'name: One\n    packages: []', 'One'],
  ['packages', 'name: one\n    version: "1"\n    released: true', 'one 1'],
  ['patchGroups', 'name: One', 'One'],
  ['patchApprovals', 'patch: DSA-1\n    product: Debian', 'DSA-1 for Debian'],
])('an object of %s that is listed twice is refused with both places', async (section, entry, name) => {
  await write('a.yaml', `${section}:`, `  - ${entry}`)
  await write('b.yaml', '# more', `${section}:`, `  - ${entry}`)

  expect(await refusal()).toBe(`a.yaml:2 and b.yaml:3: '${section}' contains '${name}' twice`)
})

test('a variable that is listed twice for a group is refused with the place of the group', async () => {
  const entry = '{ variable: Printing.Server, value: print01 }'
  await write('a.yaml', 'groups:', '  - path: Assignment/One', `    variables: [${entry}, ${entry}]`)

  expect(await refusal()).toBe("a.yaml:2: 'groups' contains 'Assignment/One ← Printing.Server' twice")
})

test('a definition that contradicts itself is refused with its place', async () => {
  await write(
    'a.yaml',
    'variableDefinitions:',
    '  - name: Other',
    '  - name: Printing',
    '    secret: true',
    '    default: none',
  )

  expect(await refusal()).toBe("a.yaml:3: 'Printing' is secret and cannot have a default")
})

test('a reference to what does not exist blocks the plan, which names the place and fails', async () => {
  await write('a.yaml', 'groups:', '  - path: Assignment/Fine', '  - path: Assignment/Missing/Child')
  await write('b.yaml', 'patchGroups:', '  - name: Servers', '    assignments:', '      - group: Assignment/Nowhere')

  const planned = await refusal(planStateFolder)

  expect(planned).toContain('blocked: a.yaml:3: The group Assignment/Missing does not exist')
  expect(planned).toContain('blocked: b.yaml:2: The group Assignment/Nowhere does not exist')
  expect(planned).toMatch(/\n2 changes are blocked: the plan cannot be applied\.$/)
  expect(await refusal()).toBe(planned)
})

test('networks and schedules that are none block the plan before anything is applied', async () => {
  await write(
    'a.yaml',
    'groups:',
    '  - path: Assignment/One',
    '    rule: { criteria: { networks: [192.0.2.0/24, 300.1.1.1] } }',
    '    options: [{ commands: [Install], schedule: CRON=never }]',
    '    variables: [{ variable: Printing.Server, value: print01, schedule: 2026-13-01 }]',
    'variableDefinitions:',
    '  - name: Printing',
    '    kind: Category',
    '    children: [{ name: Server }]',
  )

  const refused = await refusal()

  expect(refused).toContain('blocked: a.yaml:2: 300.1.1.1 is not a network')
  expect(refused).toContain('blocked: a.yaml:2: its schedule is not valid: ')
  expect(refused).toContain('blocked: a.yaml:2: its schedule must be an ISO 8601 date')
  expect(refused).not.toContain('192.0.2.0/24 is not a network')
})

test('a folder that does not exist or has no files, and a plan that cannot be read, are refused', async () => {
  const empty = await refusal()
  await write('a.yaml', 'tags: []')
  const plan = applyStateFolder(call, {
    folder,
    prune: false,
    planFile: join(folder, 'plan'),
    environment: {},
    print: () => {},
    showProgress: () => {},
  })

  expect(empty).toMatch(/has no \.yaml, \.yml or \.json file\.$/)
  await expect(plan).rejects.toThrow(/^The plan .* cannot be read: ENOENT/)
  await rm(folder, { recursive: true })
  expect(await refusal()).toMatch(/^The folder .* cannot be read: ENOENT/)
})

test('a folder that is larger than a request may be names the setting that allows it', async () => {
  await write('a.yaml', 'groups:', '  - path: Assignment/One', `    description: ${'x'.repeat(1_200_000)}`)

  expect(await refusal()).toContain('MUSTER_BODY_LIMIT')
})
