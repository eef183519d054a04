import { expect, test } from 'vitest'
import { planDesiredState } from '../../src/features/catalog/api/desired-state/plan-desired-state.ts'
import type { RuleCriteria } from '../../src/features/groups/api/rule-schemas.ts'
import { firefox, openStateWorld, type State, variableDefinitions } from './state-world.ts'

const { as, db, given, exportState, planOf, apply } = await openStateWorld()

const groupAt = (path: string) =>
  db.selectFrom('groups').select(['id', 'is_exclusive']).where('path', '=', path).executeTakeFirstOrThrow()

test('a plan is refused if something would be changed that it does not list, and otherwise continues where it ended', async () => {
  const state: State = {
    groups: [{ path: 'Assignment/One' }, { path: 'Assignment/Two' }, { path: 'Assignment/Three' }],
  }
  const plan = await planOf(state)

  const first = await apply(state, { plan, maxSteps: 1 })
  const stale = await apply({ groups: [...(state.groups ?? []), { path: 'Assignment/Four' }] }, { plan })
  const rest = await apply(state, { plan })
  const again = await apply(state, { plan })

  expect(first.body).toMatchObject({ applied: 1, remaining: 2 })
  expect(stale).toMatchObject({
    status: 409,
    problem: 'StalePlan',
    raw: { changes: [{ section: 'groups', name: 'Assignment/Four', action: 'add' }] },
  })
  expect(rest.body).toMatchObject({ applied: 2, remaining: 0 })
  expect(again.body).toMatchObject({ applied: 0, remaining: 0 })

  const [one, ...others] = state.groups ?? []
  const renamed = { groups: [{ ...one, path: 'Assignment/One', description: 'new' }, ...others] }
  const older = await planOf(renamed)
  const other = { groups: [{ path: 'Assignment/One', description: 'newer' }, ...others] }
  expect(await apply(other, { plan: older })).toMatchObject({ problem: 'StalePlan' })
  await apply({ groups: [{ path: 'Assignment/One', description: 'of somebody else' }] })
  expect(await apply(renamed, { plan: older })).toMatchObject({ problem: 'StalePlan' })
})

test('an interrupted apply continues its removals with the number that was confirmed for all of them', async () => {
  const paths = ['Assignment/Old 1', 'Assignment/Old 2', 'Assignment/Old 3']
  await apply({ groups: paths.map((path) => ({ path })) })
  const kept = { groups: (await exportState()).groups?.filter(({ path }) => !paths.includes(path)) ?? [] }
  const plan = await planOf(kept, true)
  const options = { prune: true, plan, expectedRemovals: 3 }

  const first = await apply(kept, { ...options, maxSteps: 2 })
  const rest = await apply(kept, options)

  expect(first.body).toMatchObject({ applied: 2, remaining: 1 })
  expect(rest.body).toMatchObject({ applied: 1, remaining: 0 })
})

test('a plan counts each computer once, including those from which something is taken away', async () => {
  const path = 'Assignment/Counted'
  const areas = [`${path}/North`, `${path}/South`]
  await apply({ groups: [{ path, packages: [firefox] }, ...areas.map((area) => ({ path: area }))] })
  const computer = await given.computer()
  for (const area of areas) await given.member(await groupAt(area), computer)
  const groups = (await exportState()).groups?.map((group) => (group.path === path ? { path } : group)) ?? []

  const { changes } = await planOf({ groups }, true)

  expect(changes).toMatchObject([{ section: 'groupPackages', action: 'remove', computers: 1 }])
})

test('a plan counts the computers that have a value of a changed definition', async () => {
  await apply({ variableDefinitions })
  const { id } = await db
    .selectFrom('variable_definitions')
    .select('id')
    .where('dotted_name', '=', 'Printing.Server')
    .executeTakeFirstOrThrow()
  for (const value of ['print07', 'print08']) {
    const computer = await given.computer()
    await db.insertInto('computer_variables').values({ computer_id: computer.id, variable_id: id, value }).execute()
  }
  await given.computer()
  const server = { name: 'Server', default: 'print09' }

  const { changes } = await planOf({
    variableDefinitions: [{ name: 'Printing', kind: 'Category', children: [server] }],
  })

  expect(changes).toMatchObject([{ name: 'Printing.Server', action: 'change', computers: 2 }])
})

test('a plan does not count computers of another configuration group as joining or leaving by a rule', async () => {
  const other = await given.group()
  await given.member(other, await given.computer({ name: 'scale-1' }))

  const planFor = async (path: string) =>
    (await planOf({ groups: [{ path, rule: { criteria: { names: ['scale-*'] } } }] })).changes[1]

  expect(await planFor('Configuration/Scales')).toMatchObject({ members: { joining: 0, leaving: 0 } })
  expect(await planFor('Assignment/Scales')).toMatchObject({ members: { joining: 1, leaving: 0 } })
})

test('a plan does not count who would join by a rule for a caller who may not read computers', async () => {
  await given.computer({ name: 'till-1' })
  const state = { groups: [{ path: 'Assignment/Tills', rule: { criteria: { names: ['till-*'] } } }] }

  const { changes } = (await as('group.read', 'package.read').call(planDesiredState, { body: { state } })).body

  expect(changes).toMatchObject([
    { section: 'groups' },
    { section: 'groupRules', action: 'add', computers: 0, members: null },
  ])
})

test('a plan counts for each of many rules the computers that match it, whichever criteria the others have', async () => {
  await given.computer({ name: 'mixed-1', os_name: 'Debian', model: 'Mixed A' })
  await given.computer({ name: 'mixed-2', os_name: 'Debian', model: 'Mixed B' })
  await given.computer({ name: 'mixed-3', os_name: 'Windows 11', model: 'Mixed A' })
  await given.computer({ name: 'mixed-4', model: 'Mixed B' })
  const expected: [RuleCriteria, number][] = [
    [{ operatingSystems: ['debian'] }, 2],
    [{ models: ['mixed ?'] }, 4],
    [{ operatingSystems: ['Windows*'], models: ['Mixed A', 'Mixed B'] }, 1],
    [{ operatingSystems: [''], models: ['Mixed B'] }, 1],
    [{ names: ['mixed-1', 'mixed-2', 'mixed-3'] }, 3],
  ]
  const groups = expected.map(([criteria], n) => ({ path: `Assignment/Mixed ${n}`, rule: { criteria } }))

  const { changes } = await planOf({ groups })

  const joining = changes.flatMap(({ members }) => (members ? [members.joining] : []))
  expect(joining).toEqual(expected.map(([, computers]) => computers))
})
