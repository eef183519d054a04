import { expect, test } from 'vitest'
import { openAgentWorld } from './agent-world.ts'

const { agent, readyPackage, state, work } = await openAgentWorld()

test('work that was lost ten times is given up, and with it what requires its package', async () => {
  const computer = await agent()
  const base = await readyPackage({ package_name: 'runtime of all' })
  const needing = await readyPackage({ requires: ['Runtime of all'] })
  const lost = { state: 'Leased', leased_until: new Date(0), attempt: 13, failures: 1, postponements: 2 }
  const [workId, dependent] = [await work(computer, base, lost), await work(computer, needing)]

  const handed = (await computer.contact()).body.work

  expect(handed).toEqual([])
  for (const id of [workId, dependent]) expect(await state.work(id)).toMatchObject({ state: 'Failed' })
  expect(await state.deployment(computer, base)).toMatchObject({
    status: 'Failed',
    error_text: 'The work was handed out 10 times, and no agent said how it ended.',
  })
  expect(await state.deployment(computer, needing)).toMatchObject({ status: 'Failed' })
})

test('work that was lost nine times comes once more', async () => {
  const computer = await agent()
  const lost = { state: 'Leased', leased_until: new Date(0), attempt: 12, failures: 1, postponements: 2 }
  const workId = await work(computer, await readyPackage(), lost)

  expect((await computer.contact()).body.work).toMatchObject([{ workId, attempt: 13 }])
})
