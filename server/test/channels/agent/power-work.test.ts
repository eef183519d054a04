import { expect, test } from 'vitest'
import { rebootComputer } from '../../../src/features/deployments/api/requests/reboot-computer.ts'
import { openAgentWorld, type PackageColumns } from './agent-world.ts'

const { agent, as, given, readyPackage, work } = await openAgentWorld()

/** An agent with one due work item. `lease` makes a contact and returns the ids of the leased items. */
async function oneWorkItem(packageColumns: PackageColumns = {}) {
  const computer = await agent()
  const workId = await work(computer, await readyPackage(packageColumns))
  const lease = async () => (await computer.contact()).body.work.map((leased) => leased.workId)
  return { computer, workId, lease }
}

async function requestReboot({ id }: { id: number }, body?: { timeoutMinutes: number; reminderMinutes: number }) {
  await given.member(await given.group(), { id })
  expect((await as('reboot.execute').call(rebootComputer, { params: { id }, ...(body && { body }) })).status).toBe(200)
}

test('the reboot of an activation is leased last and alone, when the agent has no other work', async () => {
  const { computer, workId, lease } = await oneWorkItem()
  const power = await work(
    computer,
    { id: null },
    {
      kind: 'Power',
      power_action: 'Reboot',
      timeout_minutes: 15,
      reminder_minutes: 5,
    },
  )

  const [first, meanwhile] = [await lease(), await lease()]
  await computer.report(workId)
  const last = (await computer.contact()).body.work

  expect([first, meanwhile]).toEqual([[workId], []])
  expect(last).toMatchObject([
    { workId: power, package: null, power: { action: 'Reboot', timeoutMinutes: 15, reminderMinutes: 5 } },
  ])
})

test('a requested reboot is leased at the next contact, alone and before other work that is due', async () => {
  const { computer, workId, lease } = await oneWorkItem()
  const minutes = { timeoutMinutes: 30, reminderMinutes: 5 }
  await requestReboot(computer, minutes)

  const first = (await computer.contact()).body.work
  expect(first).toMatchObject([{ package: null, power: { action: 'Reboot', ...minutes } }])
  for (const reboot of first) await computer.report(reboot.workId)
  expect(await lease()).toEqual([workId])
})

test('a requested reboot waits for work that the agent has begun, and only for that', async () => {
  const { computer, workId, lease } = await oneWorkItem()
  await lease()
  await work(computer, await readyPackage())
  await requestReboot(computer)

  expect(await lease()).toEqual([])
  await computer.report(workId)
  expect((await computer.contact()).body.work).toMatchObject([{ kind: 'Power' }])
})

test('a shutdown does not wait for work that cannot be leased', async () => {
  const { computer, lease } = await oneWorkItem({ is_operational: false })
  const power = await work(computer, { id: null }, { kind: 'Power', power_action: 'Shutdown' })

  expect(await lease()).toEqual([power])
})
