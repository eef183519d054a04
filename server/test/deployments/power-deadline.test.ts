import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { postponeWork } from '../../src/channels/agent/postpone-work.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

const { agent, as, db, given } = await openAgentWorld()

const operator = as('activation.execute', 'reboot.execute')
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const deadline = {
  afterHours: 8,
  latestUtc: null,
  maxPostponements: 2,
  quietHours: { start: '22:00', end: '06:00' },
  closePrograms: ['soffice.bin'],
  noticeMinutes: 15,
}
const shutdown = { action: 'Shutdown' as const, timeoutMinutes: 5, userDeadline: deadline }

async function member() {
  const [computer, group] = [await agent(), await given.group()]
  await given.member(group, computer)
  /** The power action that the agent gets once it has reported everything else. */
  const takePower = async () => {
    for (;;) {
      const { work } = (await computer.contact()).body
      const power = work.find(({ kind }) => kind === 'Power')
      if (power || work.length === 0) return power
      for (const { workId, attempt } of work)
        await computer.report(workId, { attempt, installationState: null } as object)
    }
  }
  const delay = (workId: number, body: object) =>
    computer.itself.call(postponeWork, { params: { workId }, body: { attempt: 1, untilUtc: inHours(1), ...body } })
  return { computer, group, takePower, delay }
}

test('the person at the computer can delay the power action of an activation until its deadline, as any other restart', async () => {
  const { computer, takePower, delay } = await member()
  const activated = await operator.call(activateComputer, {
    params: { id: computer.id },
    body: { pull: true, srl: shutdown },
  })

  const power = await takePower()
  const workId = power?.workId ?? 0
  const tooLong = await delay(workId, { untilUtc: inHours(9) })
  const postponed = await delay(workId, {})

  expect(activated.body.srl).toEqual({ ...shutdown, reminderMinutes: 10 })
  expect(power).toMatchObject({
    power: { action: 'Shutdown', timeoutMinutes: 5 },
    postponable: { remaining: 2 },
    userDeadline: { closePrograms: ['soffice.bin'], quietHours: deadline.quietHours, noticeMinutes: 15 },
  })
  const hours = (Date.parse(power?.userDeadline?.deadlineUtc ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeCloseTo(8, 1)
  expect(tooLong).toMatchObject({ status: 409, problem: 'NotPostponable' })
  expect(postponed.body).toEqual({ remaining: 1 })
})

test('after the deadline nothing delays the power action of an activation', async () => {
  const { computer, group, takePower, delay } = await member()
  await operator.call(activateGroup, { params: { id: group.id }, body: { pull: true, srl: shutdown } })
  const { workId = 0 } = (await takePower()) ?? {}
  await sql`update work set first_leased_at = now() - interval '9 hours' where computer_id = ${computer.id}`.execute(db)

  for (const reason of ['User', 'QuietHours', 'Presentation', 'ProgramsOpen', 'NoAnswer'])
    expect(await delay(workId, { reason })).toMatchObject({ status: 409, problem: 'NotPostponable' })
})

test('without a deadline, the power action of an activation has its minutes and nothing else, whatever was requested before', async () => {
  const { computer, takePower, delay } = await member()
  await operator.call(rebootComputer, { params: { id: computer.id }, body: { userDeadline: deadline } })
  const activated = await operator.call(activateComputer, {
    params: { id: computer.id },
    body: { pull: true, srl: { action: 'LogOff' } },
  })

  const power = await takePower()

  expect(activated.body.srl).toMatchObject({ action: 'LogOff', userDeadline: null })
  expect(power).toMatchObject({ power: { action: 'LogOff' }, postponable: { remaining: 0 } })
  expect(power?.userDeadline).toBeUndefined()
  expect(await delay(power?.workId ?? 0, { reason: 'QuietHours' })).toMatchObject({ status: 409 })
})

test.each([
  ['without an end', { ...shutdown, userDeadline: { ...deadline, afterHours: null } }, 'srl.userDeadline'],
  ['for no action', { action: 'None' as const, userDeadline: deadline }, 'srl.userDeadline'],
])('a deadline %s is refused, and the answer names the property', async (_, srl, property) => {
  const { computer } = await member()

  const refused = await operator.call(activateComputer, { params: { id: computer.id }, body: { pull: true, srl } })

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(JSON.stringify(refused.raw)).toContain(property)
})
