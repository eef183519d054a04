import { describe, expect, test } from 'vitest'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import type { Json } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'
import { deploymentsIn } from './deployment-world.ts'

const { agent, as, db, given } = await openAgentWorld()
const world = deploymentsIn(db, given)

type Minutes = Json<{ timeoutMinutes?: number | null; reminderMinutes?: number | null }>

const reboot = (computer: { id: number }, body?: Minutes) =>
  as('reboot.execute').call(rebootComputer, { params: { id: computer.id }, ...(body && { body }) })
const tasksOf = async (computer: { id: number }) =>
  (await as('computer.read').call(listTasks, { query: { clientId: computer.id } })).body.items.map(({ type }) => type)

test.each([
  ['without a body', undefined, { timeoutMinutes: -1, reminderMinutes: 10 }],
  ['with null', { timeoutMinutes: null, reminderMinutes: null }, { timeoutMinutes: -1, reminderMinutes: 10 }],
  ['with minutes', { timeoutMinutes: 30, reminderMinutes: 0 }, { timeoutMinutes: 30, reminderMinutes: 0 }],
])('a reboot request %s creates one work item and one task', async (_, body, minutes) => {
  const { computer } = await world.assigned()

  const requested = await reboot(computer, body)

  expect(requested).toMatchObject({ status: 200, raw: { clientId: computer.id, ...minutes } })
  expect(await world.workOf(computer)).toMatchObject([
    {
      kind: 'Power',
      state: 'Due',
      power_action: 'Reboot',
      timeout_minutes: minutes.timeoutMinutes,
      reminder_minutes: minutes.reminderMinutes,
    },
  ])
  expect(await tasksOf(computer)).toEqual(['Reboot'])
})

test('a repeated reboot request replaces the minutes and keeps its task', async () => {
  const { computer } = await world.assigned()
  await reboot(computer)
  const [first] = await world.workOf(computer)

  const repeated = await reboot(computer, { timeoutMinutes: 5 })

  expect(repeated.status).toBe(200)
  expect(await world.workOf(computer)).toEqual([{ ...first, timeout_minutes: 5 }])
  expect(await tasksOf(computer)).toEqual(['Reboot'])
})

test('twenty concurrent reboot requests create one work item and one task', async () => {
  const { computer } = await world.assigned()

  const results = await Promise.all(Array.from({ length: 20 }, () => reboot(computer)))

  expect(results.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(await world.workOf(computer)).toHaveLength(1)
  expect(await tasksOf(computer)).toEqual(['Reboot'])
})

test('a reboot request cancels the power action of an activation and a shutdown that the agent has begun', async () => {
  const [{ computer: waiting }, { computer: begun }] = [await world.assigned(), await world.assigned()]
  const tonight = new Date(Date.now() + 3_600_000)
  await world.work(waiting, null, { kind: 'Power', power_action: 'Reboot', not_before: tonight })
  await world.work(begun, null, { kind: 'Power', power_action: 'Shutdown', state: 'Leased' })

  for (const computer of [waiting, begun]) await reboot(computer)

  expect(await world.workOf(waiting)).toMatchObject([
    { power_action: 'Reboot', state: 'Cancelled' },
    { power_action: 'Reboot', state: 'Due' },
  ])
  const due = await db
    .selectFrom('work')
    .select('not_before')
    .where('computer_id', '=', waiting.id)
    .where('state', '=', 'Due')
    .executeTakeFirstOrThrow()
  expect(due.not_before.getTime()).toBeLessThan(tonight.getTime())
  expect(await world.workOf(begun)).toMatchObject([
    { power_action: 'Shutdown', state: 'Cancelled' },
    { power_action: 'Reboot', state: 'Due' },
  ])
})

test('a reboot can be requested again after the previous one', async () => {
  const computer = await agent()
  await given.member(await given.group(), computer)
  await reboot(computer)
  const [item] = (await computer.contact()).body.work
  await computer.report(item?.workId ?? 0)

  await reboot(computer)

  expect((await world.workOf(computer)).map(({ state }) => state)).toEqual(['Success', 'Due'])
  expect(await tasksOf(computer)).toEqual(['Reboot', 'Reboot'])
})

describe('refused reboot requests', () => {
  test('a reboot request is refused if the computer is in no group, or only in that of a reinstall', async () => {
    const [free, computer] = [await given.computer(), await given.computer()]
    await given.member(await given.group({ kind: 'Reinstall' }), computer)
    const before = await fingerprints(db)

    for (const each of [free, computer])
      expect(await reboot(each)).toMatchObject({
        status: 409,
        problem: 'ComputerNotGroupAssigned',
        raw: { clientId: each.id },
      })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('a reboot request with an unknown computer or invalid minutes is refused', async () => {
    const { computer } = await world.assigned()
    const before = await fingerprints(db)

    expect(await reboot({ id: 999_999 })).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    for (const body of [{ timeoutMinutes: -2 }, { reminderMinutes: -1 }, { timeoutMinutes: 2 ** 31 }])
      expect(await reboot(computer, body)).toMatchObject({ status: 400, problem: 'InvalidRequest' })

    expect(await fingerprints(db)).toEqual(before)
  })
})
