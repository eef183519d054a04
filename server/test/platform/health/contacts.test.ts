import { expect, onTestFinished, test, vi } from 'vitest'
import { type ContactFlow, openContactFlow } from '../../../src/platform/health/contact-flow.ts'
import { openAgentWorld } from '../../channels/agent/agent-world.ts'

vi.setConfig({ testTimeout: 30_000 })

const { agent, app, database } = await openAgentWorld()
const someone = await agent()
await someone.contact()

const contactOften = (times: number) => Promise.all(Array.from({ length: times }, () => someone.contact()))

/** As at the start of a service: an earlier contact that was answered would hide failures for ten seconds. */
function newContactFlow(): ContactFlow {
  const contactFlow = openContactFlow()
  Object.assign(app.services, { contactFlow })
  return contactFlow
}

test('a computer whose row is locked does not make contacts count as failing', async () => {
  const contactFlow = newContactFlow()
  const client = await database.pool.connect()
  onTestFinished(async () => {
    await client.query('rollback')
    client.release()
  })
  await client.query('begin')
  await client.query(`select from computer_contacts where computer_id = ${someone.id} for update`)

  const refused = await contactOften(25)

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  expect(contactFlow.findObstruction()).toBeUndefined()
})

test('contacts count as failing when many fail and none is answered, until one is answered again', async () => {
  const contactFlow = newContactFlow()
  await database.pool.query('alter table computer_contacts rename to elsewhere')
  const failed = await contactOften(20)
  await vi.waitFor(
    () => expect(contactFlow.findObstruction()).toMatchObject({ detail: 'All recent contacts of agents failed.' }),
    10_000,
  )
  await database.pool.query('alter table elsewhere rename to computer_contacts')
  const answered = await someone.contact()

  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([500]))
  expect(answered.status).toBe(200)
  expect(contactFlow.findObstruction()).toBeUndefined()
})

test('contacts that wait for longer than their deadline count as stuck, but not one or two', async () => {
  const contactFlow = newContactFlow()
  const finish = Promise.withResolvers<void>()
  const waiting = [contactFlow.run(() => finish.promise), contactFlow.run(() => finish.promise)]
  await new Promise((resolve) => setTimeout(resolve, 5_200))
  const withTwo = contactFlow.findObstruction()
  waiting.push(contactFlow.run(() => finish.promise))

  await vi.waitFor(() => expect(contactFlow.findObstruction()).toMatchObject({ status: 'failed' }), 10_000)
  finish.resolve()
  await Promise.all(waiting)

  expect(withTwo).toBeUndefined()
  expect(contactFlow.findObstruction()).toBeUndefined()
})
