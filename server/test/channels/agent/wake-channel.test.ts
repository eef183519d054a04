import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { assignGroupAgentTemplate } from '../../../src/features/assignments/api/groups/assign-group-agent-template.ts'
import { deleteComputer } from '../../../src/features/computers/api/delete-computer.ts'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { activateComputer } from '../../../src/features/deployments/api/activation/activate-computer.ts'
import { rebootComputer } from '../../../src/features/deployments/api/requests/reboot-computer.ts'
import { revokeAgentCredential } from '../../../src/features/enrolment/api/revoke-agent-credential.ts'
import { setReadyToInstall } from '../../../src/features/packages/api/set-ready-to-install.ts'
import { until } from '../../database/embedded-postgres/muster.ts'
import { listen, openWakeWorld } from './wake-world.ts'

const world = await openWakeWorld()
const { agent, as, db, given, isConnected, node, port, readyPackage, work } = world

/** A connection ends in half a second; a busy machine may take some. */
const soonMs = 10_000

const called = (listening: { calls(): number }, times = 1) =>
  until(() => (listening.calls() === times ? true : undefined), 5_000)

async function connectedAgent(atPort = port) {
  return connect(await agent(), atPort)
}

/** It is a member before it is connected, because joining a group may call the agent as well. */
async function connectedMember() {
  const [group, computer] = [await given.group(), await agent()]
  await given.member(group, computer)
  return { group, ...(await connect(computer, port)) }
}

async function connect(computer: Awaited<ReturnType<typeof agent>>, atPort: number) {
  await computer.contact()
  const listening = await listen(atPort, computer.credential)
  await isConnected(computer.id, true)
  return { ...computer, listening }
}

test('an agent that is connected is called when work is created for it, and others are not', async () => {
  const [first, second] = [await connectedAgent(), await connectedAgent()]

  await work(first, await readyPackage())

  await called(first.listening)
  expect(second.listening.calls()).toBe(0)
})

test('an agent that downloads ahead is called when its work is withdrawn, so it stops', async () => {
  const computer = await connectedAgent()
  const later = { not_before: new Date(Date.now() + 3_600_000), pre_download: true }
  const workId = await work(computer, await readyPackage(), later)
  await called(computer.listening)

  await db.updateTable('work').set({ state: 'Cancelled', closed_at: new Date() }).where('id', '=', workId).execute()

  await called(computer.listening, 2)
})

test('the service says nothing but that the agent should make contact', async () => {
  const { listening, ...computer } = await connectedAgent()

  await work(computer, await readyPackage())
  await called(listening)

  expect(listening.received()).toBe('\ncontact\n')
  expect(listening.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
})

test('work that another node creates calls the agent', async () => {
  const other = await node()
  const { listening, ...computer } = await connectedAgent(other.port)

  await work(computer, await readyPackage())

  await called(listening)
})

test('behind a pooler that swallows notifications, the agent is called within seconds', async () => {
  const pooled = await world.pooledNode()
  const { listening, ...computer } = await connectedAgent(pooled.port)

  await work(computer, await readyPackage())
  await called(listening)
  await sleep(1_000)
  await work(computer, await readyPackage())

  await called(listening, 2)
})

test('a call that nobody heard is repeated on the next connection, on whatever node', async () => {
  const other = await node()
  const { listening, ...computer } = await connectedAgent()
  listening.close()
  await isConnected(computer.id, false)

  await work(computer, await readyPackage())
  const again = await listen(other.port, computer.credential)

  await called(again)
})

test('a call on a connection that breaks soon afterwards is repeated on the next one', async () => {
  const other = await node()
  const { listening, ...computer } = await connectedAgent()
  await work(computer, await readyPackage())
  await called(listening)

  listening.close()
  await isConnected(computer.id, false)
  const again = await listen(other.port, computer.credential)

  await called(again)
})

test('a newer connection of the same agent replaces the older one', async () => {
  const { listening, ...computer } = await connectedAgent()

  const newer = await listen(port, computer.credential)
  await until(() => (listening.isClosed() ? true : undefined))
  await work(computer, await readyPackage())

  await called(newer)
})

test('a credential that is not valid gets no connection', async () => {
  const computer = await agent()

  const { response } = await listen(port, `agent-${computer.id}.wrong`)

  expect(response.statusCode).toBe(401)
})

test('a revoked agent loses its connection at once', async () => {
  const { listening, id } = await connectedAgent()

  await as('admin.manage').call(revokeAgentCredential, { params: { id } })

  await until(() => (listening.isClosed() ? true : undefined), soonMs)
  expect((await as('computer.read').call(getComputer, { params: { id } })).body.connectedNow).toBe(false)
})

test('the agent of a deleted computer loses its connection at once, on whatever node it is', async () => {
  const other = await node()
  const { listening, id } = await connectedAgent(other.port)

  await as('computer.write').call(deleteComputer, { params: { id } })

  await until(() => (listening.isClosed() ? true : undefined), soonMs)
})

test('a credential that ends before the connection is recorded ends the connection', async () => {
  const computer = await agent()
  const listening = await listen(port, computer.credential)
  await sql`update agents set secret_hash = sha256('another') where computer_id = ${computer.id}`.execute(db)

  await until(() => (listening.isClosed() ? true : undefined), soonMs)
})

test('a process takes no more connections than its limit, but every agent may replace its own', async () => {
  const full = await node({ wakeConnections: 1 })
  const first = await connectedAgent(full.port)
  const second = await agent()

  const refused = await listen(full.port, second.credential)
  const replacing = await listen(full.port, first.credential)

  expect(refused.response.statusCode).toBe(503)
  expect(Number(refused.response.headers['retry-after'])).toBeGreaterThanOrEqual(300)
  expect(replacing.response.statusCode).toBe(200)
})

test('a computer is shown as connected while its agent is, and its last contact moves on', async () => {
  const { listening, id } = await connectedAgent()
  await sql`update computer_contacts set last_seen_at = now() - interval '3 days' where computer_id = ${id}`.execute(db)
  const read = async () => (await as('computer.read').call(getComputer, { params: { id } })).body

  expect((await read()).connectedNow).toBe(true)
  listening.close()
  await isConnected(id, false)

  const { connectedNow, lastSeenUtc } = await read()
  expect(connectedNow).toBe(false)
  expect(Date.parse(lastSeenUtc ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

test('an agent that is connected and has nothing to do is asked to make contact four times less often', async () => {
  const computer = await agent()
  // The service asks for even fewer contacts while the machine is busy.
  vi.spyOn(world.app.services.pressure, 'stretch').mockReturnValue(1)
  const secondsOf = async (connected: boolean) => (await computer.contact({ connected })).body.nextContactSeconds

  expect(await secondsOf(false)).toBeLessThanOrEqual(66 * 60)
  expect(await secondsOf(true)).toBeGreaterThanOrEqual(4 * 54 * 60)
  // What waits for something else, such as a depot, must not wait for hours.
  await work(computer, await readyPackage({ hash_state: 'Mismatch' }))
  expect(await secondsOf(true)).toBeLessThanOrEqual(66 * 60)
})

test('a new agent template calls the agents below its group', async () => {
  const { listening, ...computer } = await connectedAgent()
  const group = await given.group()
  await given.member(group, computer)
  const template = await readyPackage({ kind: 'AgentTemplate', manifest: JSON.stringify({ settings: {} }) })

  await as('group.write').call(assignGroupAgentTemplate, { params: { id: group.id }, body: { packageId: template.id } })
  await called(listening)
  await sql`update packages set manifest = '{"settings": {"contactIntervalMinutes": 30}}' where id = ${template.id}`.execute(
    db,
  )

  await called(listening, 2)
})

test('a request to restart a computer calls its agent', async () => {
  const { listening, id } = await connectedMember()

  const { status } = await as('reboot.execute').call(rebootComputer, { params: { id } })

  expect(status).toBe(200)
  await called(listening)
})

test('a computer that Wake-on-LAN has started for its work is called as soon as its agent is connected', async () => {
  const { group, listening, ...computer } = await connectedMember()
  await given.assignment(group, await readyPackage(), 'package')
  listening.close()
  await isConnected(computer.id, false)

  const { body } = await as('activation.execute').call(activateComputer, {
    params: { id: computer.id },
    body: { software: true, wolNow: true },
  })
  const woken = await listen(port, computer.credential)

  expect(body.wolUtc).not.toBeNull()
  await called(woken)
})

test('the release of a package calls the agents with work that has waited for it', async () => {
  const { listening, ...computer } = await connectedAgent()
  const withheld = await readyPackage({ is_operational: false })
  await work(computer, withheld)
  await called(listening)

  const release = { params: { id: withheld.id }, body: { operational: true } }
  await as('package.write', 'package.read').call(setReadyToInstall, release)

  await called(listening, 2)
})

test('the end of a freeze calls the agents with open work', async () => {
  const { listening, ...computer } = await connectedAgent()
  await work(computer, await readyPackage())
  await called(listening)
  await sql`update installation set frozen_at = now(), frozen_by = 'test', freeze_reason = 'test'`.execute(db)

  await sql`update installation set frozen_at = null, frozen_by = null, freeze_reason = null`.execute(db)

  await called(listening, 2)
})

test('the connections of a process that died end for everybody after a minute', async () => {
  const { id } = await connectedAgent()
  const { node_id } = await db
    .selectFrom('wake_connections')
    .select('node_id')
    .where('computer_id', '=', id)
    .executeTakeFirstOrThrow()

  await sql`update wake_nodes set seen_at = now() - interval '61 seconds' where id = ${node_id}`.execute(db)

  expect((await as('computer.read').call(getComputer, { params: { id } })).body.connectedNow).toBe(false)
})

test('a process that others took for dead records its connections again', async () => {
  const { id } = await connectedAgent()
  await sql`delete from wake_nodes`.execute(db)
  await sql`update wake_connections set node_id = null, disconnected_at = now()`.execute(db)

  await isConnected(id, true)
})

test('a node that stops ends its connections, and its computers are no longer connected', async () => {
  const stopping = await node()
  const { listening, id } = await connectedAgent(stopping.port)

  await stopping.http.close()

  await until(() => (listening.isClosed() ? true : undefined))
  expect(listening.response.complete).toBe(true)
  await isConnected(id, false)
})
