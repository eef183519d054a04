import type { AddressInfo } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { confirmQuarantinedAgent } from '../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listQuarantinedAgents } from '../../src/features/enrolment/api/list-quarantined-agents.ts'
import { rejectQuarantinedAgent } from '../../src/features/enrolment/api/reject-quarantined-agent.ts'
import { listen } from '../channels/agent/wake-world.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { openClaimWorld } from './claim-world.ts'

const { administrator, app, as, claim, enrol, given, readyPackage, work } = await openClaimWorld()
await app.http.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.http.server.address() as AddressInfo
// The process would also find a decision by looking for it now and then. Here, only the decision itself can call the agent.
vi.useFakeTimers({ toFake: ['setInterval'] })
afterAll(() => void vi.useRealTimers())

/** An agent in quarantine that waits to be called. */
async function waitingAgent() {
  const computer = await given.computer()
  const { credential } = (await enrol(await claim(computer))).body
  const { items } = (await administrator.call(listQuarantinedAgents, { query: { top: 1000 } })).body
  const id = items.find(({ clientId }) => clientId === computer.id)?.id ?? 0
  return { computer, credential, params: { id }, listening: await listen(port, credential) }
}

test('an agent in quarantine is called as soon as a person confirms it', async () => {
  const { params, credential, listening } = await waitingAgent()

  await administrator.call(confirmQuarantinedAgent, { params })

  await until(() => (listening.calls() === 1 && listening.isClosed() ? true : undefined))
  expect((await listen(port, credential)).response.statusCode).toBe(200)
})

test('work for an agent that was just confirmed calls it as soon as it is connected again', async () => {
  const { computer, params, credential, listening } = await waitingAgent()
  await administrator.call(confirmQuarantinedAgent, { params })
  await until(() => (listening.isClosed() ? true : undefined))

  await work(computer, await readyPackage())
  const again = await listen(port, credential)

  await until(() => (again.calls() === 1 ? true : undefined), 5_000)
})

test('an agent in quarantine that is rejected loses its connection and gets no other', async () => {
  const { params, credential, listening } = await waitingAgent()

  await administrator.call(rejectQuarantinedAgent, { params })

  await until(() => (listening.isClosed() ? true : undefined))
  expect((await listen(port, credential)).response.statusCode).toBe(401)
})

test('an agent in quarantine does not make the computer that it claims a connected one', async () => {
  const { computer, listening } = await waitingAgent()
  await until(() => (app.services.wakeHub.connectionCount() > 0 ? true : undefined))

  const { body } = await as('computer.read').call(getComputer, { params: { id: computer.id } })

  expect(body.connectedNow).toBe(false)
  expect(listening.isClosed()).toBe(false)
})
