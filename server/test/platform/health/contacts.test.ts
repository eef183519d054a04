import { expect, onTestFinished, test, vi } from 'vitest'
import { type ContactFlow, openContactFlow } from '../../../src/platform/health/contact-flow.ts'
import { openAgentWorld } from '../../channels/agent/agent-world.ts'
import { skipTime } from '../../world/skip-time.ts'

vi.setConfig({ testTimeout: 30_000 })

const { agent, app, database } = await openAgentWorld()
const someone = await agent()
await someone.contact()

/** Each reports another user so that each has to write the row of the agent. */
const contactOften = (times: number) =>
  Promise.all(Array.from({ length: times }, (_, n) => someone.contact({ loggedOnUser: `user ${n}` })))

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
  await client.query(`select from agents where computer_id = ${someone.id} for update`)

  const refused = await contactOften(25)

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  expect(contactFlow.findObstruction()).toBeUndefined()
})

test('contacts count as failing when many fail and none is answered, until one is answered again', async () => {
  const contactFlow = newContactFlow()
  const fail = () => contactFlow.run(() => Promise.reject(new Error('A fault'))).catch(() => undefined)
  await Promise.all(Array.from({ length: 20 }, fail))
  await vi.waitFor(
    () => expect(contactFlow.findObstruction()).toMatchObject({ detail: 'All recent contacts of agents failed.' }),
    10_000,
  )
  const answered = await someone.contact()

  expect(answered.status).toBe(200)
  expect(contactFlow.findObstruction()).toBeUndefined()
})

test('contacts that wait for longer than their deadline count as stuck, but not one or two', async () => {
  const contactFlow = newContactFlow()
  const finish = Promise.withResolvers<void>()
  const waiting = [contactFlow.run(() => finish.promise), contactFlow.run(() => finish.promise)]
  skipTime(5_200)
  const withTwo = contactFlow.findObstruction()
  waiting.push(contactFlow.run(() => finish.promise))
  skipTime(5_200)
  const withThree = contactFlow.findObstruction()
  finish.resolve()
  await Promise.all(waiting)

  expect(withTwo).toBeUndefined()
  expect(withThree).toMatchObject({ status: 'failed' })
  expect(contactFlow.findObstruction()).toBeUndefined()
})
