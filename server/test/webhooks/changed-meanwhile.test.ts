import { createHmac, randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import { getWebhook } from '../../src/features/webhooks/api/get-webhook.ts'
import { rotateWebhookSecret } from '../../src/features/webhooks/api/rotate-webhook-secret.ts'
import { updateWebhook } from '../../src/features/webhooks/api/update-webhook.ts'
import { openWebhookDeliveries } from '../../src/features/webhooks/deliver-webhooks.ts'
import { deliverToWebhooks } from '../../src/features/webhooks/jobs/deliver.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { sequenceAll } from '../events/read-log.ts'
import { openWorld } from '../world/open-world.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { type ReceivedMessage, startSlowReceiver } from './slow-receiver.ts'

const receiver = await startSlowReceiver()
const { app, as, db, given, withToken } = await openWorld({ configuration: { webhookPrivateHosts: [receiver.host] } })
const admin = as('admin.manage')
const parts = { db, keys: app.services.keys, settings: app.services.configuration }

beforeEach(async () => {
  await db.deleteFrom('webhooks').execute()
})

const deliver = () => deliverWebhooks(parts)
const stateOf = async (id: string) => (await admin.call(getWebhook, { params: { id } })).body
const setRevoked = (id: number, isRevoked: boolean) =>
  admin.call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked } })

/** A webhook of a principal of its own, and as many events for it. */
async function webhookWith(events: number) {
  await sequenceAll(db)
  const { id: ownerId } = await given.localPrincipal({ roles: ['admin.manage', 'computer.read'] })
  const path = `/${randomBytes(4).toString('hex')}`
  const { body } = await withToken(await app.services.tokens.issue(ownerId)).call(createWebhook, {
    body: { name: path, url: `${receiver.address}${path}`, types: ['muster.computer.created'] },
  })
  for (let count = 0; count < events; count++) await given.computer()
  await sequenceAll(db)
  return { ...body, path, ownerId }
}

const messagesAt = (path: string) => receiver.received.filter((message) => message.path === path)

/** Delivers, makes a change while the receiver has the first event, and lets the delivery end. */
async function changeAfterFirst(path: string, change: () => Promise<unknown>): Promise<void> {
  const delivery = deliver()
  await until(() => (messagesAt(path).length > 0 ? true : undefined))
  await change()
  await receiver.answerUntil(delivery)
}

function signatureOf(secret: string, { headers, body }: ReceivedMessage): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

test('the webhook of a principal that is revoked is paused at once, and delivers nothing more', async () => {
  const { id, path, ownerId } = await webhookWith(100)
  let pausedAtOnce: unknown

  await changeAfterFirst(path, async () => {
    await setRevoked(ownerId, true)
    pausedAtOnce = await stateOf(id)
  })

  expect(pausedAtOnce).toMatchObject({ isPaused: true, pauseReason: 'The principal of the webhook was revoked.' })
  expect(messagesAt(path)).toHaveLength(1)
})

test('it stays paused when the principal is restored, and continues where it stopped when somebody continues it', async () => {
  const { id, path, ownerId } = await webhookWith(3)
  await setRevoked(ownerId, true)
  const early = await admin.call(updateWebhook, { params: { id }, body: { isPaused: false } })
  await setRevoked(ownerId, false)
  await deliver()
  const restored = await stateOf(id)
  const continued = await admin.call(updateWebhook, { params: { id }, body: { isPaused: false } })
  await receiver.answerUntil(deliver())

  expect(early).toMatchObject({ status: 409, problem: 'WebhookPrincipalInactive' })
  expect(restored).toMatchObject({ isPaused: true, pauseReason: expect.stringContaining('revoked') })
  expect(continued.body).toMatchObject({ isPaused: false, pauseReason: null })
  expect(messagesAt(path)).toHaveLength(3)
})

test('a webhook that was paused by a person keeps that state when its principal is revoked', async () => {
  const { id, ownerId } = await webhookWith(1)
  await admin.call(updateWebhook, { params: { id }, body: { isPaused: true } })

  await setRevoked(ownerId, true)

  expect(await stateOf(id)).toMatchObject({ isPaused: true, pauseReason: null })
})

test('a new address takes effect with the next event, even in the middle of a delivery', async () => {
  const { id, path } = await webhookWith(3)
  const elsewhere = `${path}-elsewhere`

  await changeAfterFirst(path, () =>
    admin.call(updateWebhook, { params: { id }, body: { url: `${receiver.address}${elsewhere}` } }),
  )

  expect([messagesAt(path).length, messagesAt(elsewhere).length]).toEqual([1, 2])
})

test('a new secret signs from the next event on, even in the middle of a delivery', async () => {
  const { id, path, secret } = await webhookWith(2)
  let replaced = ''

  await changeAfterFirst(path, async () => {
    replaced = (await admin.call(rotateWebhookSecret, { params: { id } })).body.secret
  })

  const [, second] = messagesAt(path)
  expect(second?.headers['webhook-signature']).toBe(
    second && `${signatureOf(replaced, second)} ${signatureOf(secret, second)}`,
  )
})

test('a receiver that does not answer delays no other webhook, neither one that waits already nor one that is new', async () => {
  const slow = await webhookWith(1)
  const task = deliverToWebhooks(parts)
  const { signal } = new AbortController()
  const isReceived = (path: string) => until(() => (messagesAt(path).length > 0 ? true : undefined))

  await task.run(signal)
  await isReceived(slow.path)
  const other = await webhookWith(1)
  await task.run(signal)
  await isReceived(other.path)

  expect(messagesAt(slow.path)).toHaveLength(1)
  await receiver.answerUntil(Promise.resolve(task.finish?.()))
})

test('a webhook with much to deliver lets others go first after its turn, and continues where it stopped', async () => {
  const busy = await webhookWith(3)
  const deliveries = openWebhookDeliveries(parts, 0)
  const turn = async () => {
    await deliveries.start(new AbortController().signal)
    await receiver.answerUntil(deliveries.finish())
  }
  const names = () => messagesAt(busy.path).map(({ headers }) => headers['webhook-id'])

  await turn()
  expect(names()).toHaveLength(1)
  await turn()
  await turn()

  expect(new Set(names()).size).toBe(3)
})
