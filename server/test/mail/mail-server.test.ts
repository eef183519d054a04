import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { deleteMailServer } from '../../src/features/mail/api/delete-mail-server.ts'
import { getMailServer } from '../../src/features/mail/api/get-mail-server.ts'
import { setMailServer } from '../../src/features/mail/api/set-mail-server.ts'
import { testMailServer } from '../../src/features/mail/api/test-mail-server.ts'
import { openWorld } from '../world/open-world.ts'
import { openMailReceiver } from './mail-receiver.ts'

const { as, db } = await openWorld()
const admin = as('admin.manage', 'audit.read')
const receiver = await openMailReceiver()
const implicit = await openMailReceiver({ secure: true })
const otherName = await openMailReceiver({}, 'other.example.org')
const withoutTls = await openMailReceiver({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })

const set = (settings: object) => admin.call(setMailServer, { body: { ...receiver.settings, ...settings } })
const sendTest = async (recipient = 'one@example.org') =>
  (await admin.call(testMailServer, { body: { recipient } })).body.error

beforeEach(async () => {
  await sql`delete from mail_server`.execute(db)
  for (const { received } of [receiver, implicit, otherName, withoutTls]) received.length = 0
})

test('a test mail is sent over TLS that begins at once or after a command', async () => {
  await set({})
  expect(await sendTest()).toBeNull()
  expect(receiver.received).toMatchObject([{ isSecure: true, user: 'muster', subject: 'Test mail of Muster' }])
  await set(implicit.settings)
  expect(await sendTest()).toBeNull()
  expect(implicit.received).toMatchObject([{ isSecure: true, user: 'muster' }])
})

test('nothing is sent without TLS, or to a server whose certificate is of another name or not trusted', async () => {
  await set(withoutTls.settings)
  expect(await sendTest()).toMatch(/^The mail could not be sent: /)
  await set(otherName.settings)
  expect(await sendTest()).toMatch(/localhost/)
  await set({ caCertificates: null })
  expect(await sendTest()).toMatch(/certificate/)
  expect([withoutTls, otherName, receiver].flatMap(({ received }) => received)).toEqual([])
})

test('a wrong password, a recipient elsewhere and a server that is silent are reported', async () => {
  await set({ password: 'wrong' })
  expect(await sendTest()).toMatch(/password is wrong/)
  expect(await sendTest('one@elsewhere.example')).toMatch(/elsewhere\.example/)
  const closed = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  afterAll(() => closed.close())
  await set({ port: (closed.address() as AddressInfo).port })
  expect(await sendTest()).toMatch(/^The mail could not be sent: /)
})

test('the password is stored encrypted, never shown, and sent to no other host, port or user', async () => {
  await set({})
  const { body } = await admin.call(getMailServer)
  expect(body).toMatchObject({ host: 'localhost', hasPassword: true })
  expect(JSON.stringify(body)).not.toContain('sesame')
  const { rows } = await sql<{
    text: string
  }>`select mail_server::text || encode(sealed_value, 'escape') as text from mail_server`.execute(db)
  expect(rows[0]?.text).not.toContain('sesame')
  expect(JSON.stringify((await admin.call(listAuditEntries)).body)).not.toContain('sesame')

  const { password: _, ...kept } = receiver.settings
  const change = (settings: object) => admin.call(setMailServer, { body: { ...kept, ...settings } })
  expect((await change({ host: 'attacker.example' })).problem).toBe('MailPasswordRequired')
  expect((await change({ port: 2525 })).problem).toBe('MailPasswordRequired')
  expect((await change({ userName: null })).problem).toBe('MailPasswordRequired')
  expect((await change({ fromAddress: 'reports@example.org' })).body).toMatchObject({ hasPassword: true })
  expect(await sendTest()).toBeNull()
  expect((await change({ password: null })).body).toMatchObject({ hasPassword: false })
})

test('addresses that would add headers or other recipients are refused', async () => {
  expect((await set({ fromAddress: 'a@example.org\r\nBcc: b@example.org' })).status).toBe(400)
  expect((await set({ fromAddress: 'a@example.org,b@example.org' })).status).toBe(400)
  expect((await set({ host: 'localhost/path' })).status).toBe(400)
  expect((await set({ recipientDomains: [] })).status).toBe(400)
  expect((await set({ tlsMode: 'None' })).status).toBe(400)
})

test('without a mail server, reading, removing and testing it say so', async () => {
  const answers = [
    await admin.call(getMailServer),
    await admin.call(deleteMailServer),
    await admin.call(testMailServer, { body: { recipient: 'one@example.org' } }),
  ]
  expect(answers.map(({ problem }) => problem)).toEqual(Array(3).fill('MailServerNotFound'))
  await set({})
  expect((await admin.call(deleteMailServer)).status).toBe(204)
  expect((await as('computer.read').call(getMailServer)).problem).toBe('Forbidden')
})
