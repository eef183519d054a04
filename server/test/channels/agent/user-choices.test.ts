import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { listDistributionHistory } from '../../../src/features/deployments/api/history/list-distribution-history.ts'
import { getTask } from '../../../src/features/deployments/api/tasks/get-task.ts'
import { endOffers } from '../../../src/features/deployments/jobs/end-offers.ts'
import { setDistributionOptions } from '../../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../../src/features/explain/api/explain-computer.ts'
import { listStaleDeploymentComputers } from '../../../src/features/issues/api/list-stale-deployment-computers.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, as, db, given, letTimePass, readyPackage, state, work } = await openAgentWorld()

const [running, finished] = [1, 2]
const past = () => new Date(Date.now() - 60_000)
const future = () => new Date(Date.now() + 3_600_000)

async function oneWorkItem(workColumns: Parameters<typeof work>[2] = {}) {
  const computer = await agent()
  return { ...computer, workId: await work(computer, await readyPackage(), workColumns) }
}

describe('a user', () => {
  test('a user may postpone work as often and as long as its options allow', async () => {
    const { contact, postpone, workId, runId } = await oneWorkItem({ revoke_count: 2, revoke_date: future() })
    const until = new Date(Date.now() + 600_000)

    const leased = (await contact()).body.work
    const first = await postpone(workId, until.toISOString())
    const waiting = await state.work(workId)
    await letTimePass(workId)
    const again = (await contact()).body.work
    const second = await postpone(workId, until.toISOString(), 2)
    await letTimePass(workId)
    const last = (await contact()).body.work
    const third = await postpone(workId, until.toISOString(), 3)

    expect(leased).toMatchObject([{ postponable: { remaining: 2, untilUtc: expect.any(String) } }])
    expect(first.body).toEqual({ remaining: 1 })
    expect(waiting).toMatchObject({ state: 'Due', not_before: until, leased_until: null, run_id: null })
    expect([again, last]).toMatchObject([[{ attempt: 2 }], [{ attempt: 3, postponable: { remaining: 0 } }]])
    expect(second.body).toEqual({ remaining: 0 })
    expect(third).toMatchObject({ status: 409, problem: 'NotPostponable' })
    expect(await state.work(workId)).toMatchObject({ state: 'Leased', run_id: runId })
  })

  test.each([
    ['that is forced', { commands: 1 | 16, revoke_count: 2 }],
    ['that is hidden', { commands: 1 | 32, revoke_count: 2 }],
    ['after the last date', { revoke_count: 2, revoke_date: past() }],
    ['beyond the last date', { revoke_count: 2, revoke_date: new Date(Date.now() + 60_000) }],
    ['without permission', {}],
  ])('a user cannot postpone work %s', async (_, columns) => {
    const { contact, postpone, workId } = await oneWorkItem(columns)
    await contact()
    const before = await state.work(workId)

    const refused = await postpone(workId, future().toISOString())

    expect(refused).toMatchObject({ status: 409, problem: 'NotPostponable' })
    expect(await state.work(workId)).toEqual(before)
  })

  test('work cannot be postponed into the past, nor by an agent that has not leased it', async () => {
    const { contact, postpone, workId } = await oneWorkItem({ revoke_count: 2 })

    expect(await postpone(workId, future().toISOString())).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
    await contact()

    expect(await postpone(workId, past().toISOString())).toMatchObject({ status: 400 })
    expect(await postpone(workId, future().toISOString(), 2)).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
    expect((await state.work(workId)).postponements).toBe(0)
  })

  test('postponing work does not count as a failure', async () => {
    const { contact, postpone, report, workId } = await oneWorkItem({ revoke_count: 3 })
    for (let attempt = 1; attempt <= 3; attempt++) {
      await contact()
      await postpone(workId, future().toISOString(), attempt)
      await letTimePass(workId)
    }
    await contact()

    await report(workId, { attempt: 4, status: 'Failed' })

    expect(await state.work(workId)).toMatchObject({ state: 'Due', attempt: 4 })
    expect(await db.selectFrom('setup_errors').select('attempt').where('work_id', '=', workId).execute()).toEqual([
      { attempt: 4 },
    ])
  })
})

describe('an offer', () => {
  /** A computer whose group offers it a package, and assigns one that is not released. */
  async function offer() {
    const [computer, group] = [await agent(), await given.group()]
    const [offered, required] = [await readyPackage(), await readyPackage({ is_operational: false })]
    await given.member(group, computer)
    for (const one of [offered, required]) await given.assignment(group, one, 'package')
    await as('group.write').call(setDistributionOptions, {
      params: { id: group.id },
      query: { packageId: offered.id },
      body: { commands: ['Install', 'Optional'], optionalDate: future().toISOString() },
    })
    const activate = () =>
      as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })
    return { computer, offered, required, activate }
  }

  const historyOf = async ({ id }: { id: number }) => {
    const { body } = await as('computer.read').call(listDistributionHistory, { params: { id } })
    return body.items.map(({ packageName, result, classification }) => ({ packageName, result, classification }))
  }

  test('an offer is no deployment until the user takes it', async () => {
    const { computer, offered, required, activate } = await offer()
    const listStale = async () => {
      const { body } = await as('computer.read').call(listStaleDeploymentComputers, { query: { minHoursPending: 0 } })
      const found = body.items.find(({ id }) => id === computer.id)
      return found?.stalePendingPackages.map(({ softwareId }) => softwareId)
    }
    const pending = { result: 'Pending', classification: 'Activation' }
    await activate()
    await computer.contact()

    expect(await listStale()).toEqual([required.id])
    expect(await historyOf(computer)).toEqual([{ packageName: required.name, ...pending }])

    await computer.contact({ wants: [offered.id] })
    expect(await state.deployment(computer, offered)).toMatchObject({
      status: 'Pending',
      pending_since: expect.any(Date),
    })
    expect(await historyOf(computer)).toContainEqual({
      packageName: offered.name,
      result: 'Pending',
      classification: 'Request',
    })
  })

  test('an offer that nobody takes ends after its last date, and no activation brings it back', async () => {
    const { computer, offered, activate } = await offer()
    await activate()
    await sql`update work set optional_date = ${past()} where package_id = ${offered.id}`.execute(db)
    await sql`update distribution_options set optional_date = ${past()} where package_id = ${offered.id}`.execute(db)

    expect(await endOffers(db)).toBe(1)

    const explained = await as('computer.read').call(explainComputer, {
      params: { id: computer.id },
      query: { packageId: offered.id },
    })
    expect(explained.body).toMatchObject({ verdict: 'NothingToDo', work: null, cancellation: { reason: 'OfferEnded' } })
    expect((await activate()).body.trackingId).toBeNull()
  })

  test('an offer keeps no task running, and its task runs again while the user has it installed', async () => {
    const { computer, offered, required, activate } = await offer()
    const trackingId = (await activate()).body.trackingId ?? ''
    const statusOf = async () => {
      await sql`select finish_tasks()`.execute(db)
      const { rows } = await sql`select from unfinished_tasks where task_id = ${trackingId}`.execute(db)
      const { status } = (await as('computer.read').call(getTask, { params: { trackingId } })).body
      expect(rows.length > 0).toBe(status === running)
      return status
    }
    const atFirst = await statusOf()
    await db.updateTable('packages').set({ is_operational: true }).where('id', '=', required.id).execute()
    for (const { workId } of (await computer.contact()).body.work) await computer.report(workId)
    const untaken = await statusOf()

    const [taken] = (await computer.contact({ wants: [offered.id] })).body.work
    const whileInstalled = await statusOf()
    await computer.report(taken?.workId ?? 0)

    expect([atFirst, untaken, whileInstalled, await statusOf()]).toEqual([running, finished, running, finished])
  })
})
