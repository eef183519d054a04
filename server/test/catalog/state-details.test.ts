import { expect, test } from 'vitest'
import { applySteps } from '../../src/features/catalog/desired-state/apply-state.ts'
import type { ComputedPlan, StateStep } from '../../src/features/catalog/desired-state/state-plan.ts'
import { listGroupComputers } from '../../src/features/groups/api/list-group-computers.ts'
import { firefox, openStateWorld, type State, variableDefinitions, vpn } from './state-world.ts'

const { caller, db, given, exportState, planOf, apply } = await openStateWorld()

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

test('definitions are removed after the values that use them, and a value that needs a removed one is blocked', async () => {
  const path = 'Configuration/Printers'
  const variables = [{ variable: 'Printing.Server', value: 'print02' }]
  const before: State = { variableDefinitions, groups: [{ path, variables }] }
  await apply(before)
  const others = (await exportState()).groups?.filter((group) => group.path !== path) ?? []
  const after: State = { variableDefinitions: [], groups: [...others, { path }] }

  const stillUsed = { path, variables: [{ variable: 'Printing.Server', value: 'print03' }] }
  const contradicting = await planOf({ ...after, groups: [...others, stillUsed] }, true)
  const removals = await actions(after, true)
  await apply(after, { prune: true })

  expect(contradicting.changes.find(({ section }) => section === 'groupVariables')).toMatchObject({
    action: 'change',
    blockers: [expect.stringContaining('Printing.Server')],
  })

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

test('the rule of a group is created, planned with who joins and leaves, exported and removed without its members', async () => {
  const path = 'Assignment/Tills'
  for (const name of ['till-1', 'till-2', 'desk-1']) await given.computer({ name })
  const tills = { path, rule: { criteria: { names: ['till-*'] } } }
  const others = (await exportState()).groups?.filter((group) => group.path !== path) ?? []
  const desks = { path, rule: { criteria: { names: ['desk-*', 'till-2'] }, maxChangesPerHour: 5 } }

  const added = await planOf({ groups: [tills] })
  const applied = await apply({ groups: [tills] })
  const changed = await planOf({ groups: [desks] })
  await apply({ groups: [desks] })

  expect(added.changes[1]).toMatchObject({
    section: 'groupRules',
    action: 'add',
    operations: ['setGroupRule'],
    computers: 2,
    members: { joining: 2, leaving: 0 },
  })
  expect(applied.body.remaining).toBe(0)
  expect(changed.changes).toMatchObject([
    {
      action: 'change',
      fields: [
        { field: 'criteria', before: '{"names":["till-*"]}', after: '{"names":["desk-*","till-2"]}' },
        { field: 'maxChangesPerHour', before: '100', after: '5' },
      ],
      members: { joining: 1, leaving: 1 },
    },
  ])
  expect(await findGroup(path)).toEqual(desks)
  expect(await actions({ groups: [desks] })).toEqual([])
  const inOtherOrder = { ...desks.rule, criteria: { names: desks.rule.criteria.names.toReversed() } }
  expect(await actions({ groups: [{ path, rule: inOtherOrder }] })).toEqual([])
  expect(await actions({ groups: [{ path }] })).toEqual([])

  const removed = await apply({ groups: [...others, { path }] }, { prune: true })
  expect(removed.body).toMatchObject({ applied: 1, remaining: 0 })
  expect(await findGroup(path)).toEqual({ path })
  const group = await db.selectFrom('groups').select('id').where('path', '=', path).executeTakeFirstOrThrow()
  const members = await caller.call(listGroupComputers, { params: { id: group.id } })
  expect(members.body.items.map(({ hostname }) => hostname).sort()).toEqual(['desk-1', 'till-2'])
})

test('a plan shows the content of what is added and removed, and of a secret only that it is one', async () => {
  const path = 'Assignment/Shown'
  const group: NonNullable<State['groups']>[number] = {
    path,
    description: 'Everything',
    packages: [firefox],
    options: [{ commands: ['Install'], revokeCount: 3 }],
    variables: [
      { variable: 'Printing.Password', secret: 'env:PRINT' },
      { variable: 'Printing.Server', value: 'print07' },
    ],
    rule: { criteria: { names: ['nobody'] }, maxChangesPerHour: 7 },
  }
  const others = (await exportState()).groups ?? []
  const shown = async (state: State, prune = false) =>
    (await planOf(state, prune)).changes
      .filter(({ section }) => section.startsWith('group'))
      .map(({ section, fields }) => [section, ...fields.map((one) => `${one.field}: ${one.before} → ${one.after}`)])

  const added = await shown({ variableDefinitions, groups: [group] })
  await apply({ variableDefinitions, groups: [group] })
  const removed = await shown({ groups: others }, true)
  await apply({ groups: others }, { prune: true })

  expect(added).toEqual([
    ['groups', 'description: null → Everything'],
    ['groupPackages'],
    ['groupOptions', 'revokeCount: null → 3', 'commands: null → Install'],
    ['groupVariables', 'isSecret: null → true'],
    ['groupVariables', 'value: null → print07'],
    ['groupRules', 'criteria: null → {"names":["nobody"]}', 'maxChangesPerHour: null → 7'],
  ])
  expect(removed).toEqual([
    ['groupRules', 'criteria: {"names":["nobody"]} → null', 'maxChangesPerHour: 7 → null'],
    ['groupVariables', 'isSecret: true → null'],
    ['groupVariables', 'value: print07 → null'],
    ['groupOptions', 'revokeCount: 3 → null', 'commands: Install → null'],
    ['groupPackages'],
    ['groups', 'description: Everything → null'],
  ])
})

test('steps are made until there is no more time, and those that were made are returned', async () => {
  const made: string[] = []
  const step = (name: string) => ({
    section: { name: 'tags', toRequests: () => [{ operation: name }] } as unknown as StateStep['section'],
    changes: [],
  })
  const steps = ['first', 'second', 'third'].map(step)
  const runParts = async (parts: readonly { operation: string }[]) => {
    made.push(...parts.map(({ operation }) => operation))
    return []
  }
  const plan = { changes: [], steps, reading: { packages: {}, current: new Map() } } as unknown as ComputedPlan
  const options = { document: {}, secretOf: () => '' }

  const all = await applySteps({ db, runParts }, plan, steps, { ...options, isOver: () => false })
  made.length = 0
  const some = await applySteps({ db, runParts }, plan, steps, { ...options, isOver: () => made.length === 2 })

  expect(all).toEqual(steps)
  expect(some).toEqual(steps.slice(0, 2))
  expect(made).toEqual(['first', 'second'])
})

test('patches of one product are added to a patch management group in one step', async () => {
  const product = await given.product()
  const patches = []
  for (let count = 0; count < 3; count++) {
    const patch = await given.patch({ products: [product] })
    patches.push({ patch: patch.key, product: product.name })
  }
  const state: State = { patchGroups: [{ name: 'Together', patches }] }

  const { body } = await apply(state, { maxSteps: 2 })

  expect(body).toEqual({ applied: 4, remaining: 0, work: null })
  expect((await planOf(state)).changes).toEqual([])
})

test('the category of a patch management group cannot be changed', async () => {
  await apply({ patchGroups: [{ name: 'Monthly' }] })

  const { changes } = await planOf({ patchGroups: [{ name: 'Monthly', category: 'ServicePack' }] })

  expect(changes).toMatchObject([{ action: 'change', blockers: ['its category cannot be changed'] }])
})

test('the usual limit of a rule is not exported', async () => {
  const usual = { path: 'Assignment/Usual limit', rule: { criteria: { names: ['usual-*'] } } }

  await apply({ groups: [{ ...usual, rule: { ...usual.rule, maxChangesPerHour: 100 } }] })

  expect(await findGroup(usual.path)).toEqual(usual)
})
