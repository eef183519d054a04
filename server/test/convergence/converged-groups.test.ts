import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { applyDesiredState } from '../../src/features/catalog/api/desired-state/apply-desired-state.ts'
import type { DesiredState } from '../../src/features/catalog/api/desired-state/document-schemas.ts'
import { planDesiredState } from '../../src/features/catalog/api/desired-state/plan-desired-state.ts'
import { listMarkedGroups, takeAllMarks } from '../../src/features/convergence/converge-group.ts'
import { convergeMarkedGroups } from '../../src/features/convergence/jobs/converge-groups.ts'
import { roleNames } from '../../src/platform/roles.ts'
import type { Json } from '../world/caller.ts'
import { openConvergenceWorld } from './convergence-world.ts'

const world = await openConvergenceWorld()
const { as, assign, assignNew, cancel, converge, convergedFleet, convergence, db, doWork, fail, given, join } = world
const { openWork, readyPackage, setCommands, setConvergence, removeConvergence, waves } = world

const allInstalls = (agents: readonly { id: number }[], made: { id: string }) =>
  agents.map(({ id }) => ({ id, package: made.id, kind: 'Install' }))

describe('in a group that is kept converged', () => {
  test('a new assignment becomes work without an activation', async () => {
    const { group, agents } = await convergedFleet(1)
    await converge()

    const made = await assignNew(group)
    await converge()

    expect(await openWork(agents)).toEqual(allInstalls(agents, made))
  })

  test('a new member gets what is assigned, and others get nothing again', async () => {
    const { group, agents } = await convergedFleet(1)
    const made = await assignNew(group)
    await converge()
    await doWork(agents)

    const late = await join(group)
    await converge()

    expect(await openWork([...agents, late])).toEqual(allInstalls([late], made))
    expect((await waves(group)).map(({ computerCount }) => computerCount)).toEqual([1, 1])
  })

  test('a required package that is imported later becomes work', async () => {
    const { group, agents } = await convergedFleet(1)
    const package_name = `late-${randomBytes(6).toString('hex')}`
    await assign(group, await readyPackage({ requires: [package_name] }))
    await converge()
    const [before] = await openWork(agents)

    const required = await readyPackage({ package_name })
    await converge()

    const added = (await openWork(agents)).filter((work) => work.package !== before?.package)
    expect(added).toEqual(allInstalls(agents, required))
  })

  test('changed options become work: what was installed is removed', async () => {
    const { group, agents } = await convergedFleet(1)
    const made = await assignNew(group)
    await converge()
    await doWork(agents)

    await setCommands(group, 'Uninstall')
    await converge()

    expect(await openWork(agents)).toEqual([{ id: agents[0]?.id, package: made.id, kind: 'Uninstall' }])
  })

  test('options that no longer ask for an installation end the work that waits', async () => {
    const { group, agents } = await convergedFleet(1)
    await assignNew(group)
    await converge()

    await setCommands(group, 'Uninstall')
    await converge()

    expect(await openWork(agents)).toEqual([])
  })

  test('what is assigned above the group reaches its members, too', async () => {
    const parent = await given.group({ tree: 'AssignmentGroups' })
    const group = await given.group({ parent })
    await setConvergence(group)
    const member = await join(group)
    await converge()

    const made = await assignNew(parent)
    await converge()

    expect(await openWork([member])).toEqual(allInstalls([member], made))
  })

  test('failed work is tried again after a change, not before', async () => {
    const { group, agents } = await convergedFleet(1)
    const made = await assignNew(group)
    await converge()
    await fail(agents)
    await converge()

    expect(await openWork(agents)).toEqual([])

    await setCommands(group, 'Install')
    await converge()

    expect(await openWork(agents)).toEqual(allInstalls(agents, made))
  })

  test('a wave that a person cancels does not come back by itself', async () => {
    const { group, agents } = await convergedFleet(2, { rings: [{ count: 1 }, {}] })
    await assignNew(group)
    await converge()
    const [wave] = await waves(group)

    await cancel(wave?.rolloutId ?? expect.fail())
    await converge()
    await setConvergence(await given.group({ tree: 'AssignmentGroups' }))
    await converge()

    expect(await openWork(agents)).toEqual([])
    expect(await waves(group)).toHaveLength(1)
  })

  test('nothing begins while the installation is frozen, and what waited begins afterwards', async () => {
    const { group, agents } = await convergedFleet(1)
    await converge()
    const administrator = as('admin.manage')
    await administrator.call(setFreeze, { body: { frozen: true, reason: 'An incident' } })

    const made = await assignNew(group)
    await converge()

    expect(await waves(group)).toEqual([])
    expect((await convergence(group)).waiting).toMatchObject({ code: 'Frozen' })

    await administrator.call(setFreeze, { body: { frozen: false } })
    await converge()

    expect(await openWork(agents)).toEqual(allInstalls(agents, made))
  })
})

describe('an applied desired state', () => {
  const path = ({ name }: { name: string }) => `Assignment/${name}`

  async function apply(state: Json<DesiredState>): Promise<void> {
    const author = as(...roleNames)
    const planned = (await author.call(planDesiredState, { body: { state, prune: false } })).body
    const plan = planned.changes.map(({ fingerprint }) => fingerprint)
    const applied = await author.call(applyDesiredState, {
      body: { state, prune: false, plan, expectedRemovals: 0, secrets: {} },
    })
    expect(applied).toMatchObject({ status: 200, body: { remaining: 0 } })
  }

  async function officeWithMember() {
    const group = await given.group({ tree: 'AssignmentGroups' })
    const made = await world.readyPackage({ package_name: `viewer-${group.name}`, version: '24.2' })
    return { group, member: await join(group), made, packages: [{ name: `viewer-${group.name}`, version: '24.2' }] }
  }

  test('that keeps a group converged and assigns software becomes work without an activation', async () => {
    const { group, member, made, packages } = await officeWithMember()

    await apply({
      groups: [{ path: path(group), packages, convergence: { state: 'On', rings: [{ percent: 10 }, {}] } }],
    })
    await converge()

    expect(await openWork([member])).toEqual(allInstalls([member], made))
    expect(await waves(group)).toMatchObject([{ createdBy: 'convergence of the group', computerCount: 1 }])
  })

  test('that changes the options of a converged group becomes work, too, and that of another group does not', async () => {
    const { group, agents } = await convergedFleet(1)
    const { packages, ...other } = await officeWithMember()
    const options = [{ commands: ['Uninstall' as const] }]
    await world.assign(group, other.made)
    await converge()
    await doWork(agents)

    await apply({
      groups: [
        { path: path(group), packages, options },
        { path: path(other.group), packages },
      ],
    })
    await converge()

    expect(await openWork(agents)).toEqual([{ id: agents[0]?.id, package: other.made.id, kind: 'Uninstall' }])
    expect(await openWork([other.member])).toEqual([])
  })
})

test('several nodes start one wave for a change, and any of them continues it', async () => {
  const { group, agents } = await convergedFleet(2, { rings: [{ count: 1 }, {}] })
  await assignNew(group)
  const limits = { maxRingPercent: 100 }

  await Promise.all([1, 2, 3].map(() => convergeMarkedGroups(world.db, limits)))
  await convergeMarkedGroups(world.db, limits)

  expect(await waves(group)).toHaveLength(1)
  await converge()
  await doWork(agents)
  await converge()
  expect(await doWork(agents)).toBe(1)
})

test('a wave whose ring is larger than the service allows is refused, and the setting says so', async () => {
  const { group } = await convergedFleet(2, { rings: [{ count: 1 }, {}] })
  await assignNew(group)

  await convergeMarkedGroups(world.db, { maxRingPercent: 0 })

  expect(await waves(group)).toEqual([])
  expect((await convergence(group)).waiting).toMatchObject({ code: 'Refused', problemCode: 'RingTooLarge' })
})

test('a new member gets its work within two minutes although waves for computers that are away are still open', async () => {
  const { group } = await convergedFleet(0)
  await assignNew(group)
  for (let wave = 0; wave < 6; wave++) {
    await join(group)
    await converge()
  }
  await join(group)
  await takeAllMarks(db)
  const openWaves = (await waves(group)).filter(({ state }) => state === 'Running')

  await sql`update group_convergence set wave_at = now() - interval '95 seconds'`.execute(db)

  expect(openWaves.length).toBeGreaterThan(5)
  expect(await listMarkedGroups(db)).toEqual([group.id])
})

describe('the setting', () => {
  test('is off by default, and then an assignment makes no work', async () => {
    const group = await given.group({ tree: 'AssignmentGroups' })
    const member = await join(group)
    await assignNew(group)
    await converge()

    expect(await convergence(group)).toMatchObject({ state: 'Off', isInherited: true, sourceGroupId: null })
    expect(await openWork([member])).toEqual([])
  })

  test('reaches groups below, except those that are switched off', async () => {
    const { group } = await convergedFleet(0)
    const [below, off] = [await given.group({ parent: group }), await given.group({ parent: group })]
    const [member, other] = [await join(below), await join(off)]
    await setConvergence(off, { state: 'Off' })

    const made = await assignNew(group)
    await converge()

    expect(await convergence(below)).toMatchObject({ state: 'On', isInherited: true, sourceGroupId: group.id })
    expect(await convergence(off)).toMatchObject({ state: 'Off', isInherited: false, sourceGroupId: off.id })
    expect(await openWork([member, other])).toEqual(allInstalls([member], made))
  })

  test('takes its waves with it when it is switched off or removed', async () => {
    const { group, agents } = await convergedFleet(1)
    await assignNew(group)
    await converge()

    await setConvergence(group, { state: 'Off' })
    await converge()
    await converge()

    expect(await openWork(agents)).toEqual([])
    expect(await waves(group)).toMatchObject([{ state: 'Cancelled' }])

    expect((await removeConvergence(group)).status).toBe(204)
    expect(await convergence(group)).toMatchObject({ state: 'Off', isInherited: true })
  })

  test('must leave the rest to the last ring, so nobody is left out', async () => {
    const group = await given.group({ tree: 'AssignmentGroups' })

    const refused = await setConvergence(group, { rings: [{ count: 1 }, { count: 2 }] })

    expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  })
})
