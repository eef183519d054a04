import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { postponeWork } from '../../src/channels/agent/postpone-work.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { rebootComputers } from '../../src/features/deployments/api/selection/reboot-computers.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { listComputerEvents } from '../../src/features/fleet/api/list-computer-events.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { sequenceAll } from '../events/read-log.ts'

const { agent, as, db, given, letTimePass, readyPackage, state, work } = await openAgentWorld()

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()

const deadline = {
  afterHours: 48,
  latestUtc: null,
  maxPostponements: 2,
  quietHours: { start: '22:00', end: '06:00' },
  closePrograms: ['soffice.bin'],
  noticeMinutes: 15,
}

/** A computer with a package that its group assigns with a deadline. */
async function assigned(userDeadline: typeof deadline | Record<string, unknown> = deadline) {
  const [computer, group, software] = [await agent(), await given.group(), await readyPackage()]
  await given.member(group, computer)
  await given.assignment(group, software, 'package')
  const set = (changed: unknown) =>
    as('group.write').call(setDistributionOptions, {
      params: { id: group.id },
      query: { packageId: software.id },
      body: { commands: ['Install'], userDeadline: changed as typeof deadline | null },
    })
  const answer = await set(userDeadline)
  const activate = () =>
    as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })
  const take = async () => (await computer.contact()).body.work[0]
  const delay = (workId: number, attempt: number, body: object) =>
    computer.itself.call(postponeWork, { params: { workId }, body: { attempt, untilUtc: inHours(1), ...body } })
  return { computer, group, software, set, answer, activate, take, delay }
}

const eventsOf = async ({ id }: { id: number }) => {
  await sequenceAll(db)
  const { body } = await as('computer.read').call(listComputerEvents, {
    params: { id },
    query: { types: 'muster.work.choice' },
  })
  return body.items.map(({ data }) => data).toReversed()
}

describe('the deadline of an assignment', () => {
  test('the deadline of an assignment is shown as it was set, and removed with null', async () => {
    const { group, software, answer, set } = await assigned()
    const read = () =>
      as('group.read').call(getDistributionOptions, { params: { id: group.id }, query: { packageId: software.id } })

    expect(answer.body.userDeadline).toEqual(deadline)
    expect((await read()).body.userDeadline).toEqual(deadline)
    await set(null)
    expect((await read()).body.userDeadline).toBeNull()
  })

  test.each([
    ['without an end', { afterHours: null }],
    ['with quiet hours that never end', { quietHours: { start: '08:00', end: '08:00' } }],
    ['with a time that does not exist', { quietHours: { start: '24:00', end: '08:00' } }],
    ['with a path instead of a program', { closePrograms: ['/usr/bin/soffice'] }],
    ['with a pattern instead of a program', { closePrograms: ['*'] }],
    ['with an option instead of a program', { closePrograms: ['-9'] }],
    ['with closing without notice', { noticeMinutes: 0 }],
  ])('a deadline %s is refused', async (_, changes) => {
    const { answer } = await assigned({ ...deadline, ...changes })

    expect(answer.status).toBe(400)
  })

  test('the hours of a deadline count from the first hand-out, and an agent gets what it has to respect', async () => {
    const { computer, activate, take } = await assigned()
    await activate()
    await sql`update work set created_at = now() - interval '10 days' where computer_id = ${computer.id}`.execute(db)

    const item = await take()

    expect(item).toMatchObject({
      postponable: { remaining: 2 },
      userDeadline: { quietHours: deadline.quietHours, closePrograms: ['soffice.bin'], noticeMinutes: 15 },
    })
    const hours = (Date.parse(item?.userDeadline?.deadlineUtc ?? '') - Date.now()) / hourMs
    expect(hours).toBeCloseTo(48, 1)
    expect(item?.postponable.untilUtc).toBe(item?.userDeadline?.deadlineUtc)
  })

  test('handing the work out again does not move its deadline, and the earlier of both limits counts', async () => {
    const { activate, take, delay, set } = await assigned()
    await activate()
    const first = await take()
    await delay(first?.workId ?? 0, 1, {})
    await letTimePass(first?.workId ?? 0)
    const again = await take()
    await delay(first?.workId ?? 0, 2, {})
    await set({ ...deadline, latestUtc: inHours(3) })
    await activate()
    await letTimePass(first?.workId ?? 0)

    expect(again?.userDeadline?.deadlineUtc).toBe(first?.userDeadline?.deadlineUtc)
    const hours = (Date.parse((await take())?.userDeadline?.deadlineUtc ?? '') - Date.now()) / hourMs
    expect(hours).toBeCloseTo(3, 1)
  })

  test('postponements end with their number, other delays with the deadline alone', async () => {
    const { activate, take, delay } = await assigned()
    await activate()
    const { workId = 0, userDeadline } = (await take()) ?? {}
    const answers = []
    for (let attempt = 1; attempt <= 3; attempt++) {
      answers.push(await delay(workId, attempt, {}))
      if (attempt < 3) await letTimePass(workId)
      if (attempt < 3) await take()
    }

    const late = new Date(Date.parse(userDeadline?.deadlineUtc ?? '') + 1000).toISOString()
    const tooLong = await delay(workId, 3, { reason: 'QuietHours', untilUtc: late })
    const programs = await delay(workId, 3, { reason: 'ProgramsOpen', untilUtc: userDeadline?.deadlineUtc })

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409])
    expect(tooLong).toMatchObject({ status: 409, problem: 'NotPostponable' })
    expect(programs).toMatchObject({ status: 200, body: { remaining: 0 } })
    expect(await state.work(workId)).toMatchObject({ postponements: 2, delays: 1, delayed_by: 'ProgramsOpen' })
  })

  test('work that waits for the person is not lost, however often that is', async () => {
    const { activate, take, delay } = await assigned()
    await activate()
    const { workId = 0 } = (await take()) ?? {}
    for (let attempt = 1; attempt <= 12; attempt++) {
      await delay(workId, attempt, { reason: 'Presentation' })
      await letTimePass(workId)
      expect(await take()).toMatchObject({ workId, attempt: attempt + 1 })
    }
  })

  test('after the deadline nothing delays the work', async () => {
    const { computer, activate, take, delay } = await assigned()
    await activate()
    const { workId = 0 } = (await take()) ?? {}
    await sql`update work set first_leased_at = now() - interval '49 hours' where computer_id = ${computer.id}`.execute(
      db,
    )

    for (const reason of ['User', 'QuietHours', 'Presentation', 'ProgramsOpen', 'NoAnswer'])
      expect(await delay(workId, 1, { reason })).toMatchObject({ status: 409, problem: 'NotPostponable' })
  })

  test('work without a deadline is delayed by the choice of a user alone', async () => {
    const computer = await agent()
    const workId = await work(computer, await readyPackage(), { revoke_count: 2 })
    await computer.contact()

    const refused = await computer.itself.call(postponeWork, {
      params: { workId },
      body: { attempt: 1, untilUtc: inHours(1), reason: 'QuietHours' },
    })

    expect(refused).toMatchObject({ status: 409, problem: 'NotPostponable' })
  })

  test.each([
    ['QuietHours', 'quiet hours'],
    ['Presentation', 'presenting'],
    ['ProgramsOpen', 'closed programs'],
    ['NoAnswer', 'has not answered'],
  ])('the explanation of work that waits because of %s says so', async (reason, words) => {
    const { computer, software, activate, take, delay } = await assigned()
    await activate()
    await delay((await take())?.workId ?? 0, 1, { reason })

    const explained = await as('computer.read').call(explainComputer, {
      params: { id: computer.id },
      query: { packageId: software.id },
    })

    expect(explained.body).toMatchObject({
      verdict: 'Waiting',
      options: { userDeadline: deadline },
      blockers: [{ reason: 'DelayedForUser', message: expect.stringContaining(words) }],
    })
  })
})

describe('what the person chose', () => {
  const choice = (name: string) => ({ choice: name, user: 'mia', programs: [], atUtc: '2026-03-14T09:26:53.000Z' })

  test('the timeline of the computer shows what the person chose, from the first answer to the result', async () => {
    const { computer, software, activate, take, delay } = await assigned()
    await activate()
    const { workId = 0 } = (await take()) ?? {}
    await delay(workId, 1, { workChoices: [choice('Later')] })
    await letTimePass(workId)
    await take()
    const closed = { ...choice('ProgramsClosed'), programs: ['soffice.bin'] }
    await computer.report(workId, { attempt: 2, workChoices: [choice('Now'), closed] } as object)

    const about = { computerId: computer.id, workId, kind: 'Install', packageName: software.name, user: 'mia' }
    expect(await eventsOf(computer)).toMatchObject([
      { ...about, choice: 'Later', chosenAtUtc: '2026-03-14T09:26:53.000Z' },
      { ...about, choice: 'Now', programs: [] },
      { ...about, choice: 'ProgramsClosed', programs: ['soffice.bin'] },
    ])
  })

  test('choices that a contact reports with a result count once, even if it is repeated', async () => {
    const { computer, activate, take } = await assigned()
    await activate()
    const { workId = 0 } = (await take()) ?? {}
    const result = {
      workId,
      attempt: 1,
      status: 'Success',
      installationState: 'Installed',
      exitCode: 0,
      startedUtc: '2026-03-14T09:26:53.000Z',
      finishedUtc: '2026-03-14T09:26:53.000Z',
      commandLine: null,
      output: '',
      errorText: null,
      rebootRequired: false,
      workChoices: [choice('NoAnswer')],
    }

    for (let times = 0; times < 2; times++) await computer.exchange({ results: [result] } as object)

    expect(await eventsOf(computer)).toMatchObject([{ choice: 'NoAnswer' }])
  })

  test('an agent reports nothing about the work of another computer', async () => {
    const { activate, take, computer } = await assigned()
    await activate()
    const { workId = 0 } = (await take()) ?? {}
    const other = await assigned()
    await other.activate()
    await other.take()

    await other.computer.report(workId, { workChoices: [choice('Now')] } as object)

    expect([await eventsOf(computer), await eventsOf(other.computer)]).toEqual([[], []])
  })
})

test('a requested reboot with a deadline may be postponed until then, for one computer or for many', async () => {
  const [{ computer: one }, { computer: other }] = [await assigned(), await assigned()]
  const terms = { timeoutMinutes: 15, userDeadline: deadline }
  await as('reboot.execute').call(rebootComputer, { params: { id: one.id }, body: terms })
  await as('reboot.execute').call(rebootComputers, { body: { computerIds: [other.id], ...terms } })

  const items = [(await one.contact()).body.work[0], (await other.contact()).body.work[0]]

  const restart = {
    kind: 'Power',
    postponable: { remaining: 2 },
    power: { action: 'Reboot', timeoutMinutes: 15 },
    userDeadline: { closePrograms: ['soffice.bin'] },
  }
  expect(items).toMatchObject([restart, restart])
})
