import { expect, test } from 'vitest'
import { firefox, openStateWorld, type State, variableDefinitions, vpn } from './state-world.ts'

const { given, exportState, planOf, apply } = await openStateWorld()

const findGroup = async (path: string) => (await exportState()).groups?.find((group) => group.path === path)
const actions = async (state: State, prune = false) =>
  (await planOf(state, prune)).changes.map(({ action, section, name }) => `${action} ${section} ${name}`)

test('a group is frozen after its content is assigned, and thawed before its content changes', async () => {
  const path = 'Configuration/Retired'
  const group: NonNullable<State['groups']>[number] = { path, kind: 'EOL', packages: [firefox] }
  const ordinary: State = { groups: [{ path, packages: [firefox, vpn] }] }

  expect((await apply({ groups: [group] })).body.remaining).toBe(0)
  expect(await findGroup(path)).toEqual(group)
  expect(await actions({ groups: [group] })).toEqual([])
  expect(await actions(ordinary)).toEqual([
    'change groupKinds Configuration/Retired',
    'add groupPackages Configuration/Retired ← vpn 5.2 revision 2',
  ])
  expect((await apply(ordinary)).body.remaining).toBe(0)
  expect(await findGroup(path)).toEqual({ path, packages: [firefox, vpn] })
})

test('packages with the same name and version are distinguished by revision and operating systems', async () => {
  const editor = { name: 'editor', version: '1.0' }
  const ofEditor = { package_name: 'editor', version: '1.0' }
  await given.package({ ...ofEditor, operating_systems: ['Linux'] })
  await given.package({ ...ofEditor, operating_systems: ['Windows'] })
  await given.package({ ...ofEditor, operating_systems: ['Windows'], revision: '2' })
  const path = 'Configuration/Editors'
  const packages = [
    { ...editor, operatingSystems: ['Windows'] },
    { ...editor, revision: '2' },
  ]

  const ambiguous = await apply({ groups: [{ path, packages: [editor] }] }, { plan: emptyPlan })
  await apply({ groups: [{ path, packages }] })

  expect(ambiguous).toMatchObject({ status: 400, raw: { detail: expect.stringContaining('name its revision') } })
  expect(await findGroup(path)).toEqual({ path, packages })
})

const emptyPlan = { added: 0, changed: 0, removed: 0, changes: [], secrets: [], missingRoles: [] }

test('a package that was not imported, or that has other content, blocks the change', async () => {
  const packages = [
    { name: 'missing', version: '1.0', released: true },
    { ...firefox, released: true, hash: 'a'.repeat(64) },
  ]

  expect((await planOf({ packages })).changes.map(({ blockers }) => blockers)).toEqual([
    ['its content is another one: import it first'],
    ['it is not in the service: import it first'],
  ])
})

test('definitions are removed after the values that use them', async () => {
  const path = 'Configuration/Printers'
  const variables = [{ variable: 'Printing.Server', value: 'print02' }]
  const before: State = { variableDefinitions, groups: [{ path, variables }] }
  await apply(before)
  const others = (await exportState()).groups?.filter((group) => group.path !== path) ?? []
  const after: State = { variableDefinitions: [], groups: [...others, { path }] }

  const removals = await actions(after, true)
  await apply(after, { prune: true })

  expect(removals[0]).toBe(`remove groupVariables ${path} ← Printing.Server`)
  expect(removals).toHaveLength(7)
  expect((await exportState()).variableDefinitions).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ name: 'Printing' })]),
  )
})

test('entries of a collection are compared as a set, and an edited entry takes the place of the old one', async () => {
  const path = 'Configuration/Queues'
  const withEntries = (...entries: Record<string, string>[]): State => ({
    variableDefinitions,
    groups: [{ path, collections: [{ variable: 'Printing.Queues', entries }] }],
  })
  await apply(withEntries({ Name: 'a' }, { Name: 'b' }))

  expect(await actions(withEntries({ Name: 'b', Colour: 'no' }, { Name: 'a' }))).toEqual([])
  await apply(withEntries({ Name: 'b' }, { Name: 'c' }))
  const [collection] = (await findGroup(path))?.collections ?? []
  expect(collection?.entries.map(({ Name }) => Name)).toEqual(['b', 'c'])
})
