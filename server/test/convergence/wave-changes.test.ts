import { describe, expect, test } from 'vitest'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { openConvergenceWorld } from './convergence-world.ts'

const world = await openConvergenceWorld()
const { assignNew, converge, convergedFleet, db, doWork, given, join, operator, setCommands } = world

type Group = { id: string }

/** A converged group whose waves begin with the pilots. */
async function fleetWithPilots(pilotCount: number, otherCount: number) {
  const pilotGroup = await given.group({ tree: 'AssignmentGroups' })
  const { group, agents } = await convergedFleet(pilotCount + otherCount, { rings: [{ groupId: pilotGroup.id }, {}] })
  const [pilots, others] = [agents.slice(0, pilotCount), agents.slice(pilotCount)]
  for (const pilot of pilots) await given.member(pilotGroup, pilot)
  return { group, pilotGroup, pilots, others }
}

/** The package with options that differ from those before in a number. */
async function setRevokeCount({ id }: Group, made: { id: string }, revokeCount: number): Promise<void> {
  const set = await operator.call(setDistributionOptions, {
    params: { id },
    query: { packageId: made.id },
    body: { commands: ['Install'], revokeCount },
  })
  expect(set.status).toBe(200)
}

const waiting = async (computers: readonly { id: number }[]) =>
  db
    .selectFrom('work')
    .select(['computer_id as id', 'package_id as package', 'kind', 'revoke_count as revokeCount'])
    .where(
      'computer_id',
      'in',
      computers.map(({ id }) => id),
    )
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute()

describe('a wave that releases a computer', () => {
  /** Another computer has work that waits, the first ring of the next wave is done, and then its options change. */
  async function changeBetweenRings(change: (group: Group, made: { id: string }) => Promise<void>) {
    const { group, pilots, others } = await fleetWithPilots(1, 1)
    const first = await assignNew(group)
    await converge()
    await doWork(pilots)
    await converge()
    const second = await assignNew(group)
    await converge()
    await doWork(pilots)
    await change(group, first)
    return { pilots, others, first, second }
  }

  test('leaves work that waits although it is not due any more: the change passes the rings itself', async () => {
    const { pilots, others, first, second } = await changeBetweenRings((group, made) =>
      setCommands(group, 'Uninstall', made),
    )
    await converge()

    expect(await waiting(others)).toMatchObject([{ package: first.id }, { package: second.id }])
    expect(await waiting(pilots)).toMatchObject([{ package: first.id, kind: 'Uninstall' }])

    await doWork(pilots)
    await converge()

    expect(await waiting(others)).toMatchObject([{ package: second.id }])
  })

  test('leaves the options of work that waits', async () => {
    const { group, pilots, pilotGroup, others } = await fleetWithPilots(1, 1)
    const first = await assignNew(group)
    await converge()
    await doWork(pilots)
    await converge()
    const second = await assignNew(group)
    await converge()
    await doWork(pilots)
    const late = await join(group)
    await given.member(pilotGroup, late)
    await setRevokeCount(group, first, 3)
    await converge()

    expect(await waiting(others)).toMatchObject([{ package: first.id, revokeCount: 0 }, { package: second.id }])
    await doWork([late])
    await converge()

    expect(await waiting(others)).toMatchObject([{ package: first.id, revokeCount: 3 }, { package: second.id }])
  })

  test('does not bring its own package with options that were changed since', async () => {
    const { group, pilots, pilotGroup, others } = await fleetWithPilots(1, 1)
    const made = await assignNew(group)
    await converge()
    await doWork(pilots)
    const late = await join(group)
    await given.member(pilotGroup, late)
    await setRevokeCount(group, made, 3)
    await converge()

    expect(await waiting([...others, late])).toMatchObject([{ id: late.id, revokeCount: 3 }])
    await doWork([late])
    await converge()

    expect(await waiting(others)).toMatchObject([{ package: made.id, revokeCount: 3 }])
  })
})

test('work that waits is revised by one wave, whatever is compared meanwhile', async () => {
  const { group, pilotGroup, pilots, others } = await fleetWithPilots(1, 1)
  const made = await assignNew(group)
  await converge()
  await doWork(pilots)
  await converge()
  await given.member(pilotGroup, await join(group))
  await setRevokeCount(group, made, 3)
  await converge()

  const other = await given.group({ parent: group })
  await given.member(other, others[0] ?? expect.fail())
  await assignNew(other)
  await converge()

  const computers = (await world.waves(group)).map(({ computerCount }) => computerCount)
  expect(computers.toSorted()).toEqual([1, 2, 2])
  const changes = await db.selectFrom('rollouts').select('wave_changes').where('group_id', '=', group.id).execute()
  expect(changes.map(({ wave_changes }) => wave_changes?.length)).toEqual([1, 1, 1])
})
