import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openWorld()
const { given } = world
const { muster, musterOn, settings } = await commandsIn(world)

test('a catalog is planned, applied and exported', async () => {
  const file = join(settings, 'catalog.yaml')
  await writeFile(file, 'variableDefinitions:\n  - name: Site\n    kind: Scalar\n')

  const planned = await muster('catalog', 'plan', file)
  const withChanges = await muster('catalog', 'plan', file, '--detailed-exitcode')
  const applied = await muster('catalog', 'apply', file)
  const withoutChanges = await muster('catalog', 'plan', file, '--detailed-exitcode')
  const missing = await muster('catalog', 'plan', join(settings, 'nowhere.yaml'), '--detailed-exitcode')
  const wrong = await muster('catalog', 'plan', file, '--detailed-exitcode', '--prune')
  const unknown = await muster('catalog', 'plan', file, '--detailed-exitcode', '--no-such-option')
  const exported = await muster('catalog', 'export')

  expect([planned.err, withChanges.err, applied.err]).toEqual(['', '', ''])
  expect([planned.code, withChanges.code, withoutChanges.code]).toEqual([0, 2, 0])
  // What is not a plan must not look like changes.
  expect([missing.code, wrong.code, unknown.code]).toEqual([1, 1, 1])
  expect(withChanges.out).toBe(planned.out)
  expect(planned.out).toMatch(/^add +variableDefinitions Site\nPlanned: 1 added, 0 changed, 0 removed\.\n$/)
  expect(applied.out).toContain('Applied: 1 added')
  expect(exported.out).toContain('name: Site')
})

test('a folder has the whole desired state: it is exported, planned and applied', async () => {
  const folder = join(settings, 'state')
  await given.group({ name: 'Archive' })

  const exported = await muster('catalog', 'export', folder)
  await writeFile(join(folder, 'more.yaml'), 'tags:\n  - name: From a folder\n')
  const planned = await muster('catalog', 'plan', folder, '--detailed-exitcode')
  const tried = await muster('catalog', 'apply', folder, '--dry-run')
  const json = await muster('catalog', 'plan', folder, '-o', 'json')
  const applied = await muster('catalog', 'apply', folder)
  const again = await muster('catalog', 'plan', folder, '--detailed-exitcode')

  expect(exported.out).toMatch(/^Exported \d+ files to /)
  expect(planned.out).toMatch(
    /^add +tags From a folder\nPlanned: 1 added, 0 changed, 0 removed\.\nRehearsed: 1 change would succeed\./,
  )
  expect([planned.code, tried.code, again.code]).toEqual([2, 0, 0])
  expect(tried.out).toBe(planned.out)
  expect(JSON.parse(json.out)).toMatchObject({ added: 1, changes: [{ section: 'tags', action: 'add' }] })
  expect([applied.out, applied.err]).toEqual([
    expect.stringContaining('Applied: 1 change.'),
    '1/1 (100 %)  changes made\n',
  ])
  expect(again.out).toBe('Planned: 0 added, 0 changed, 0 removed.\n')
})

test('objects that a folder does not list are removed after a question on a terminal, and with --yes elsewhere', async () => {
  const folder = join(settings, 'complete-state')
  await muster('catalog', 'export', folder)
  await muster('api', 'createTag', '--body', '{"designation": "Left over"}')
  const prune = ['catalog', 'apply', folder, '--prune'] as const
  const questions: string[] = []
  const answering = (answer: string) => ({
    ask: async (question: string) => {
      questions.push(question)
      return answer
    },
  })

  const unasked = await muster(...prune)
  const refused = await musterOn(answering('no'), ...prune)
  const confirmed = await musterOn(answering('1'), ...prune)
  await muster('api', 'createTag', '--body', '{"designation": "Left over"}')
  const automatic = await muster(...prune, '--yes')

  expect([unasked.code, refused.code, confirmed.code, automatic.code]).toEqual([1, 1, 0, 0])
  expect(unasked.err).toContain('1 object would be removed: repeat with --expect-removals 1, or with --yes')
  expect(refused.err).toBe('Nothing was applied.\n')
  expect(confirmed.out).toMatch(/^remove tags Left over\n/)
  expect(questions).toEqual(Array(2).fill('1 object will be removed. Type 1 to continue: '))
  expect(automatic.out).toContain('remove tags Left over')
})

test('a plan in a file is applied only as long as it is complete', async () => {
  const folder = join(settings, 'planned-state')
  const plan = join(settings, 'plan.json')
  await muster('catalog', 'export', folder)
  await writeFile(join(folder, 'more.yaml'), 'tags:\n  - name: Planned\n')

  await muster('catalog', 'plan', folder, '--plan', plan)
  await writeFile(join(folder, 'more.yaml'), 'tags:\n  - name: Planned\n  - name: Not planned\n')
  const stale = await muster('catalog', 'apply', folder, '--plan', plan)
  await writeFile(join(folder, 'more.yaml'), 'tags:\n  - name: Planned\n')
  const applied = await muster('catalog', 'apply', folder, '--plan', plan)
  const document = await muster('catalog', 'apply', 'catalog.yaml', '--prune')

  expect(stale).toMatchObject({ code: 1, err: expect.stringContaining('add tags Not planned') })
  expect(applied.out).toBe('Applied: 1 change.\n')
  expect(document).toMatchObject({ code: 2, err: expect.stringContaining('--prune, --plan, --yes') })
})
