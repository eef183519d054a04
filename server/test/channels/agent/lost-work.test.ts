import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openAgentWorld } from './agent-world.ts'

const { agent, readyPackage, state, work } = await openAgentWorld()

/** Each process of the agent leases the work and ends without a report. Returns what the last one was given. */
async function loseWork({ contact }: Awaited<ReturnType<typeof agent>>, processes: number) {
  for (let count = 1; count < processes; count++) await contact({ runId: randomUUID() })
  return (await contact({ runId: randomUUID() })).body.work
}

test('work that was lost ten times is abandoned, together with the work that requires its package', async () => {
  const computer = await agent()
  const base = await readyPackage({ package_name: 'runtime of all' })
  const dependent = await readyPackage({ requires: ['Runtime of all'] })
  const lost = { state: 'Leased', leased_until: new Date(0), attempt: 13, failures: 1, postponements: 2 }
  const ids = [await work(computer, base, lost), await work(computer, dependent)]

  const leased = (await computer.contact()).body.work

  expect(leased).toEqual([])
  for (const id of ids) expect(await state.work(id)).toMatchObject({ state: 'Failed' })
  expect(await state.deployment(computer, base)).toMatchObject({
    status: 'Failed',
    error_text: 'The work was handed out 10 times, and no agent reported a result.',
  })
  expect(await state.deployment(computer, dependent)).toMatchObject({ status: 'Failed' })
})

test('work that was lost nine times is leased once more', async () => {
  const computer = await agent()
  const lost = { state: 'Leased', leased_until: new Date(0), attempt: 12, failures: 1, postponements: 2 }
  const workId = await work(computer, await readyPackage(), lost)

  expect((await computer.contact()).body.work).toMatchObject([{ workId, attempt: 13 }])
})

test('a late report about abandoned work is recorded once as a fact about the computer', async () => {
  const computer = await agent()
  const software = await readyPackage()
  const workId = await work(computer, software)
  const tenth = await loseWork(computer, 10)
  const eleventh = await loseWork(computer, 1)

  const reports = [await computer.report(workId, { attempt: 10 }), await computer.report(workId, { attempt: 10 })]

  expect([tenth, eleventh]).toMatchObject([[{ workId, attempt: 10 }], []])
  expect(reports.map(({ body }) => body)).toEqual([{ accepted: true }, { accepted: false }])
  expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
  expect(await state.deployment(computer, software)).toMatchObject({
    status: 'Failed',
    installation_state: 'Installed',
  })
})
