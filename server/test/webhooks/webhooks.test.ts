import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { noAnswers } from '../../../tools/no-answers.ts'
import { setBlastRadius } from '../../src/features/blast-radius/api/set-blast-radius.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import { deleteWebhook } from '../../src/features/webhooks/api/delete-webhook.ts'
import { getWebhook } from '../../src/features/webhooks/api/get-webhook.ts'
import { listWebhookDeliveries } from '../../src/features/webhooks/api/list-webhook-deliveries.ts'
import { listWebhooks } from '../../src/features/webhooks/api/list-webhooks.ts'
import { replayWebhook } from '../../src/features/webhooks/api/replay-webhook.ts'
import { rotateWebhookSecret } from '../../src/features/webhooks/api/rotate-webhook-secret.ts'
import { testWebhook } from '../../src/features/webhooks/api/test-webhook.ts'
import { updateWebhook } from '../../src/features/webhooks/api/update-webhook.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { lastPosition, sequenceAll } from '../events/read-log.ts'
import { openWorld } from '../world/open-world.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'

type Received = { headers: IncomingHttpHeaders; body: string; event: { type: string; data: { computerName?: string } } }

let answer: { status: number; headers?: Record<string, string> } = { status: 204 }
let received: Received[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    received.push({ headers: request.headers, body, event: JSON.parse(body) })
    if (answer.status === 101) return void noAnswers['a change to another protocol'](request.socket)
    response.writeHead(answer.status, answer.headers).end('a body that nobody reads')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
afterAll(() => receiver.close())
const { port } = receiver.address() as AddressInfo
const url = `http://127.0.0.1:${port}/hook`

const { app, as, db, given } = await openWorld({
  configuration: { webhookPrivateHosts: [parseDownloadHost('', `127.0.0.1:${port}`, true)] },
})
const admin = as('admin.manage', 'computer.read')
const parts = { db, keys: app.services.keys, settings: app.services.configuration }

/** What one node does each second. */
async function deliver(): Promise<void> {
  await sequenceAll(db)
  await deliverWebhooks(parts)
}

let number = 0
async function webhook(body: { types?: string[]; computerId?: number } = {}) {
  await sequenceAll(db)
  const { body: made } = await admin.call(createWebhook, { body: { name: `webhook ${number++}`, url, ...body } })
  return made
}

beforeEach(async () => {
  await sql`delete from webhooks`.execute(db)
  answer = { status: 204 }
  received = []
})

const letRetryBeDue = () => sql`update webhooks set next_attempt_at = now()`.execute(db)
const stateOf = async (id: string) => (await admin.call(getWebhook, { params: { id } })).body
const namesOf = (messages: readonly Received[]) => messages.map(({ event }) => event.data.computerName)

function signatureOf(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

test('events that the filter selects are posted in order, as CloudEvents with the signature of Standard Webhooks', async () => {
  const { id, secret } = await webhook({ types: ['muster.computer.created'] })
  await given.computer({ name: 'PC-1' })
  await given.group()
  await given.computer({ name: 'PC-2' })
  await deliver()

  expect(namesOf(received)).toEqual(['PC-1', 'PC-2'])
  for (const message of received) expect(message.headers['webhook-signature']).toBe(signatureOf(secret, message))
  expect(received[0]?.headers['content-type']).toContain('application/cloudevents+json')
  const { body } = await admin.call(listWebhookDeliveries, { params: { id } })
  expect(body.items).toMatchObject([{ status: 204, error: null, attempt: 1 }, { status: 204 }])
  expect(await stateOf(id)).toMatchObject({ position: await lastPosition(db), failures: 0 })
  const stored = await sql<{
    text: string
  }>`select encode(sealed_value, 'escape') as text from webhook_secrets`.execute(db)
  expect(stored.rows[0]?.text).not.toContain(secret)
})

test('a webhook of one computer gets only events about it', async () => {
  const computer = await given.computer({ name: 'PC-ONE' })
  await webhook({ computerId: computer.id })
  await given.computer({ name: 'PC-OTHER' })
  await sql`update computers set domain = domain || '-x'`.execute(db)
  await deliver()

  expect(namesOf(received)).toEqual(['PC-ONE'])
})

test('a request that waits for an approval is posted to those who can approve it', async () => {
  await webhook({ types: ['muster.approval.*'] })
  const setQuota = (apiQuota: number | null) => admin.call(setBlastRadius, { body: { apiQuota, consoleQuota: null } })
  await setQuota(0)

  await as('computer.write').call(deleteComputer, { params: { id: (await given.computer({ name: 'PC-1' })).id } })
  await setQuota(null)
  await deliver()

  expect(received.map(({ event }) => event)).toMatchObject([
    { type: 'muster.approval.requested', data: { operation: 'deleteComputer', subjects: [{ name: 'PC-1' }] } },
  ])
})

test('the roles of the principal that created a webhook decide what is sent, at the time of sending', async () => {
  const { id } = await webhook()
  const { principalId } = await stateOf(id)
  await sql`delete from principal_roles where principal_id = ${principalId} and role = 'computer.read'`.execute(db)
  await given.computer({ name: 'PC-HIDDEN' })
  await deliver()
  expect(received.map(({ event }) => event.type).filter((type) => type.startsWith('muster.computer'))).toEqual([])

  await sql`insert into principal_roles values (${principalId}, 'computer.read')`.execute(db)
  await given.computer({ name: 'PC-SHOWN' })
  await deliver()

  expect(namesOf(received)).toContain('PC-SHOWN')
  expect(namesOf(received)).not.toContain('PC-HIDDEN')
})

test('what fails is sent again later, in order, and after three days of failures the webhook is paused', async () => {
  const { id } = await webhook({ types: ['muster.computer.created'] })
  answer = { status: 503 }
  await given.computer({ name: 'PC-A' })
  await given.computer({ name: 'PC-B' })
  await deliver()
  await deliver()
  expect(namesOf(received)).toEqual(['PC-A'])
  expect(await stateOf(id)).toMatchObject({ failures: 1, isPaused: false, nextAttemptAtUtc: expect.any(String) })

  answer = { status: 200 }
  await letRetryBeDue()
  await deliver()
  expect(namesOf(received)).toEqual(['PC-A', 'PC-A', 'PC-B'])
  expect(await stateOf(id)).toMatchObject({ failures: 0, failingSinceUtc: null })

  answer = { status: 500 }
  await given.computer({ name: 'PC-C' })
  await deliver()
  await sql`update webhooks set failing_since = now() - interval '73 hours', next_attempt_at = now()`.execute(db)
  await deliver()
  expect(await stateOf(id)).toMatchObject({ isPaused: true, pauseReason: expect.stringContaining('three days') })

  answer = { status: 200 }
  await admin.call(updateWebhook, { params: { id }, body: { isPaused: false } })
  await deliver()
  expect(namesOf(received).at(-1)).toBe('PC-C')
  expect(await stateOf(id)).toMatchObject({ isPaused: false, pauseReason: null, failures: 0 })
})

test('a receiver that answers 410 is paused at once, and one that redirects is not followed', async () => {
  const { id } = await webhook({ types: ['muster.computer.created'] })
  answer = { status: 302, headers: { location: `${url}/elsewhere` } }
  await given.computer()
  await deliver()
  const { body } = await admin.call(listWebhookDeliveries, { params: { id } })
  answer = { status: 410 }
  await letRetryBeDue()
  await deliver()

  expect(body.items).toMatchObject([{ status: 302, error: 'The receiver redirects, which is refused.' }])
  expect(received).toHaveLength(2)
  expect(await stateOf(id)).toMatchObject({ isPaused: true })
})

test('a receiver that changes to another protocol has failed, and a node that stops does not wait for it', async () => {
  const { id } = await webhook({ types: ['muster.computer.created'] })
  answer = { status: 101 }
  await given.computer()

  await deliver()

  const { body } = await admin.call(listWebhookDeliveries, { params: { id } })
  expect(body.items).toMatchObject([{ status: null, error: expect.stringContaining('it answered 101') }])
  expect(await stateOf(id)).toMatchObject({ failures: 1 })
})

test('after a rotation, messages have signatures of both secrets, and of the new one alone after a day', async () => {
  const { id, secret: old } = await webhook({ types: ['muster.computer.created'] })
  const { body } = await admin.call(rotateWebhookSecret, { params: { id } })
  await given.computer()
  await deliver()
  await sql`update webhook_secrets set expires_at = now() - interval '1 second' where expires_at is not null`.execute(
    db,
  )
  await given.computer()
  await deliver()

  const [both, one] = received
  expect(both?.headers['webhook-signature']).toBe(both && `${signatureOf(body.secret, both)} ${signatureOf(old, both)}`)
  expect(one?.headers['webhook-signature']).toBe(one && signatureOf(body.secret, one))
})

test('a replay delivers events again with the same ids', async () => {
  const { id, position } = await webhook({ types: ['muster.computer.created'] })
  await given.computer({ name: 'PC-AGAIN' })
  await deliver()
  await admin.call(replayWebhook, { params: { id }, body: { after: position } })
  await deliver()
  const refused = await admin.call(replayWebhook, { params: { id }, body: { after: '99999999' } })

  expect(namesOf(received)).toEqual(['PC-AGAIN', 'PC-AGAIN'])
  expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id'])
  expect(refused).toMatchObject({ status: 410, problem: 'EventPositionUnavailable' })
})

test('two nodes deliver each event once', async () => {
  await webhook({ types: ['muster.computer.created'] })
  for (let n = 0; n < 10; n++) await given.computer()
  await sequenceAll(db)
  await Promise.all([1, 2, 3].map(() => deliverWebhooks(parts)))

  expect(received).toHaveLength(10)
})

test('the test button sends a signed event and shows the answer, even for a paused webhook', async () => {
  const { id, secret } = await webhook()
  await admin.call(updateWebhook, { params: { id }, body: { isPaused: true } })
  const good = await admin.call(testWebhook, { params: { id } })
  answer = { status: 500 }
  const bad = await admin.call(testWebhook, { params: { id } })

  expect(good.body).toMatchObject({ status: 204, error: null })
  expect(bad.body).toMatchObject({ status: 500, error: 'The receiver answered 500.' })
  expect(received[0]?.headers['webhook-signature']).toBe(received[0] && signatureOf(secret, received[0]))
  expect(received[0]?.event.type).toBe('muster.webhook.test')
})

test.each([
  'http://203.0.114.7/',
  'https://127.0.0.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://user:secret@hooks.example.org/',
  'ftp://hooks.example.org/',
  'nonsense',
])('the address %s is refused when a webhook is created', async (address) => {
  const refused = await admin.call(createWebhook, { body: { name: 'refused', url: address } })

  expect(refused).toMatchObject({ status: 400, problem: 'WebhookAddressRefused' })
})

test('a name that resolves to an address of a private network is refused when something is sent', async () => {
  const { id } = await webhook()
  await admin.call(updateWebhook, { params: { id }, body: { url: 'https://localhost:8443/' } })
  const { body } = await admin.call(testWebhook, { params: { id } })

  expect(body).toMatchObject({ status: null, error: expect.stringContaining('private network') })
})

test('webhooks can be listed and deleted, names are unique, and unknown types are refused', async () => {
  const { id, name } = await webhook()
  const duplicate = await admin.call(createWebhook, { body: { name: name.toUpperCase(), url } })
  const unknown = await admin.call(createWebhook, { body: { name: 'x', url, types: ['muster.comet'] } })
  const listed = await admin.call(listWebhooks)
  await admin.call(deleteWebhook, { params: { id } })

  expect(duplicate.problem).toBe('DuplicateWebhookName')
  expect(unknown.status).toBe(400)
  expect(listed.body.items.map((one) => one.id)).toEqual([id])
  expect((await admin.call(getWebhook, { params: { id } })).problem).toBe('WebhookNotFound')
})

test('the log of deliveries keeps the last 200', async () => {
  const { id } = await webhook({ types: ['muster.computer.created'] })
  await sql`insert into webhook_deliveries (webhook_id, position, type, attempt, duration_ms)
    select ${id}, 1, 'muster.computer.created', 1, 0 from generate_series(1, 250)`.execute(db)
  await given.computer()
  await deliver()

  expect((await admin.call(listWebhookDeliveries, { params: { id } })).body.totalCount).toBe(200)
})
