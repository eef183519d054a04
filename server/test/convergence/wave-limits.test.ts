import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { approveRequest } from '../../src/features/blast-radius/api/approve-request.ts'
import { listApprovals } from '../../src/features/blast-radius/api/list-approvals.ts'
import { advanceRollout } from '../../src/features/rollouts/api/advance-rollout.ts'
import { resumeRollout } from '../../src/features/rollouts/api/resume-rollout.ts'
import { openConvergenceWorld } from './convergence-world.ts'

const world = await openConvergenceWorld()
const { as, assignNew, converge, convergedFleet, convergence, db, doWork, fail, given, join, openWork, operator } =
  world
const { pause, resume, setCommands, waves } = world

const onlyWave = async (group: { id: string }) => {
  const found = await waves(group)
  expect(found).toHaveLength(1)
  return found[0] ?? expect.fail()
}

describe('a wave', () => {
  test('passes the rings of the setting: the second opens after the results of the first', async () => {
    const { group, agents } = await convergedFleet(4, { rings: [{ count: 1 }, {}] })
    await assignNew(group)
    await converge()

    expect(await openWork(agents)).toHaveLength(1)

    await doWork(agents)
    await converge()

    expect(await openWork(agents)).toHaveLength(3)
    expect(await onlyWave(group)).toMatchObject({
      isWave: true,
      ringCount: 2,
      createdBy: 'convergence of the group',
      computerCount: 4,
    })
  })

  test('begins with the members of the group that its first ring names', async () => {
    const pilots = await given.group({ tree: 'AssignmentGroups' })
    const { group, agents } = await convergedFleet(3, { rings: [{ groupId: pilots.id }, {}] })
    await given.member(pilots, agents[2] ?? expect.fail())

    await assignNew(group)
    await converge()

    expect((await openWork(agents)).map(({ id }) => id)).toEqual([agents[2]?.id])
  })

  test('pauses itself when too many computers fail, and later changes wait for a person', async () => {
    const { group, agents } = await convergedFleet(4, { rings: [{ count: 1 }, {}] })
    await assignNew(group)
    await converge()
    await fail(agents)
    await converge()

    await assignNew(group)
    await converge()

    const wave = await onlyWave(group)
    expect(wave).toMatchObject({ state: 'Paused', pause: { code: 'Failures' } })
    expect((await convergence(group)).waiting).toMatchObject({ code: 'WaveNeedsPerson', rolloutId: wave.rolloutId })
  })

  test('that a person has paused hands out nothing', async () => {
    const { group, agents } = await convergedFleet(1)
    await assignNew(group)
    await converge()

    await pause((await onlyWave(group)).rolloutId)

    expect(await doWork(agents)).toBe(0)
  })

  test('brings nothing but the change that began it: a later assignment passes the rings itself', async () => {
    const { group, agents } = await convergedFleet(3, { rings: [{ count: 1 }, {}] })
    const first = await assignNew(group)
    await converge()
    await doWork(agents)
    const second = await assignNew(group)
    await converge()

    const packages = (await openWork(agents)).map((item) => item.package).sort()

    expect(packages).toEqual([first.id, first.id, second.id].sort())
  })

  test('waits for the maintenance windows of the setting', async () => {
    const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
    const day = weekdays[(new Date().getUTCDay() + 3) % 7] ?? expect.fail()
    const windows = [{ days: [day], start: '12:00', durationMinutes: 60 }]
    const { group, agents } = await convergedFleet(1, { windows, timeZone: 'UTC' })
    await assignNew(group)
    await converge()

    expect(await doWork(agents)).toBe(0)
    expect(await openWork(agents)).toHaveLength(1)
  })

  test('releases a ring as gradually as the setting says', async () => {
    const { group, agents } = await convergedFleet(3, { rings: [{ count: 3, releaseMinutes: 60 }, {}] })
    await assignNew(group)
    await converge()

    expect(await openWork(agents)).toHaveLength(1)
  })

  test('pauses only if more computers fail than the criteria of the setting allow', async () => {
    const criteria = { minSuccessPercent: 1, maxFailurePercent: 100 }
    const { group, agents } = await convergedFleet(3, { rings: [{ count: 2 }, {}], criteria })
    await assignNew(group)
    await converge()

    await fail(agents.slice(0, 2))
    await converge()

    expect(await onlyWave(group)).toMatchObject({ state: 'Running' })
  })

  test('ends although a computer is away, which gets its work when it returns', async () => {
    const { group, agents } = await convergedFleet(1)
    await assignNew(group)
    await converge()
    const { rolloutId } = await onlyWave(group)

    await world.letMinutesPass(rolloutId, 120)
    await converge()

    expect(await onlyWave(group)).toMatchObject({ state: 'Completed' })
    expect(await doWork(agents)).toBe(1)
  })
})

describe('a wave with more computers than expected', () => {
  test('stays in its first ring until a person resumes it', async () => {
    const { group, agents } = await convergedFleet(4, { rings: [{ count: 1 }, {}], expectedComputers: 3 })
    await assignNew(group)
    await converge()
    await doWork(agents)
    await converge()

    const wave = await onlyWave(group)
    expect(wave).toMatchObject({
      state: 'Paused',
      expectedComputers: 3,
      pause: { code: 'MoreThanExpected', computers: 4, limit: 3 },
      releasedCount: 1,
    })
    expect(await openWork(agents)).toEqual([])

    await resume(wave.rolloutId)
    await converge()

    expect(await openWork(agents)).toHaveLength(3)
  })

  test('is the only one: changes that follow wait for the person', async () => {
    const { group } = await convergedFleet(4, { rings: [{ count: 1 }, {}], expectedComputers: 3 })
    await assignNew(group)
    await converge()

    await join(group)
    await assignNew(group)
    await converge()

    expect(await onlyWave(group)).toMatchObject({ releasedCount: 1 })
    expect((await convergence(group)).waiting).toMatchObject({ code: 'WaveNeedsPerson' })
  })

  test('can be one of few: computers that join one by one count together within a day', async () => {
    const { group, agents } = await convergedFleet(1, { expectedComputers: 1 })
    await assignNew(group)
    await converge()
    await doWork(agents)

    await join(group)
    await converge()

    expect((await waves(group)).map(({ expectedComputers }) => expectedComputers)).toEqual([1, null])
  })

  test('is measured by the share of the members if the setting gives one', async () => {
    const { group } = await convergedFleet(4, { rings: [{ count: 1 }, {}], expectedPercent: 50 })
    await assignNew(group)
    await converge()

    expect(await onlyWave(group)).toMatchObject({ expectedComputers: 2 })
  })
})

describe('a wave that removes software', () => {
  /** Computers with software that is to be removed from them. */
  async function removal(maxRemovals: number, quota: number | null = null) {
    const { group, agents } = await convergedFleet(3, { rings: [{ count: 1 }, {}], maxRemovals })
    await assignNew(group)
    await converge()
    for (let ring = 0; ring < 2; ring++) {
      await doWork(agents)
      await converge()
    }
    await setCommands(group, 'Uninstall')
    await sql`update installation set api_quota = ${quota}::integer`.execute(db)
    await converge()
    await sql`update installation set api_quota = null`.execute(db)
    const [wave] = await waves(group)
    return { group, agents, wave: wave ?? expect.fail() }
  }

  test('needs nobody if the setting allows so many', async () => {
    const { agents, wave } = await removal(3)

    expect(wave.state).toBe('Running')
    expect(await openWork(agents)).toMatchObject([{ kind: 'Uninstall' }])
  })

  test('from more computers than the setting allows needs the approval of a second principal', async () => {
    const { agents, wave } = await removal(2)
    expect(wave).toMatchObject({ state: 'Paused', pause: { code: 'Removals', computers: 3, limit: 2 } })
    expect(await openWork(agents)).toEqual([])

    const id = wave.rolloutId
    expect(await operator.call(advanceRollout, { params: { id } })).toMatchObject({ problem: 'WaitsForApproval' })
    const requested = await operator.call(resumeRollout, { params: { id } })

    expect(requested).toMatchObject({ status: 409, problem: 'ApprovalRequired' })
    expect(requested.raw).toMatchObject({
      detail:
        'The wave removes software from 3 computers; more than 2 within a day need an approval. ' +
        'The change waits for the approval of a second principal.',
      usedInLastHour: null,
    })
    const administrator = as('admin.manage')
    const approval = (await administrator.call(listApprovals, { query: {} })).body.items.at(0)
    expect(approval).toMatchObject({ operation: 'resumeRollout', computerCount: 3, state: 'Pending' })
    expect(approval?.content).toMatchObject([expect.stringMatching(/^Uninstall /)])

    const approved = await administrator.call(approveRequest, { params: { id: approval?.approvalId ?? '' } })
    await converge()

    expect(approved.status).toBe(200)
    expect(await openWork(agents)).toMatchObject([{ kind: 'Uninstall' }])
  })

  test('delays nothing else while it waits', async () => {
    const { group, agents } = await removal(2)
    const other = await given.group({ parent: group })
    const made = await assignNew(other)
    await setCommands(other, 'Install', made)
    await given.member(other, agents[0] ?? expect.fail())
    await converge()

    expect(await openWork(agents)).toEqual([{ id: agents[0]?.id, package: made.id, kind: 'Install' }])
  })

  test('is limited by the quota of programs, too', async () => {
    const { wave } = await removal(1000, 2)

    expect(wave).toMatchObject({
      state: 'Paused',
      pause: {
        ...{ code: 'Removals', limit: 2, withinHours: 1 },
        text: expect.stringContaining('more than the quota of 2 within an hour in all groups need an approval'),
      },
    })
  })
})
