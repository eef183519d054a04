import { describe, expect, test } from 'vitest'
import { openAgentWorld } from './agent-world.ts'

const { agent, db, letTimePass, readyPackage, state, work } = await openAgentWorld()

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
