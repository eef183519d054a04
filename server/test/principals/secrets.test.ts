import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLocalPrincipalSecret } from '../../src/features/principals/api/create-local-principal-secret.ts'
import { deleteLocalPrincipalSecret } from '../../src/features/principals/api/delete-local-principal-secret.ts'
import { getLocalPrincipal } from '../../src/features/principals/api/get-local-principal.ts'
import { listLocalPrincipalSecrets } from '../../src/features/principals/api/list-local-principal-secrets.ts'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { browser } from '../web/browser.ts'
import { openWorld } from '../world/open-world.ts'

const { app, as, db, given, withToken } = await openWorld()
const admin = as('admin.manage')

type Client = { id: number; clientId: string }

const ask = async ({ clientId }: Client, secret: string) => {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  return withToken(undefined).call(requestToken, { body })
}
const statusOf = async (client: Client, secret: string) => (await ask(client, secret)).status

const rotate = async ({ id }: Client, previousValidHours: number) =>
  (await admin.call(createLocalPrincipalSecret, { params: { id }, body: { previousValidHours } })).body

const list = async ({ id }: Client) => (await admin.call(listLocalPrincipalSecrets, { params: { id } })).body

const remove = (client: Client, secretId: number) =>
  admin.call(deleteLocalPrincipalSecret, { params: { id: client.id, secretId } })

/** Lets the secrets with an end reach it. */
const letSecretsEnd = ({ id }: Client) =>
  sql`
  update principal_secrets set expires_at = now() where principal_id = ${id} and expires_at is not null`.execute(db)

test('while a secret is replaced, the old and the new one are valid, and the old one ends in time', async () => {
  const client = await given.localPrincipal()

  const created = await rotate(client, 24)
  const during = [await statusOf(client, client.secret), await statusOf(client, created.plaintextKey)]
  const [newest, previous] = await list(client)
  await letSecretsEnd(client)

  expect(Buffer.from(created.plaintextKey, 'base64url')).toHaveLength(32)
  expect(created.clientId).toBe(client.clientId)
  expect(during).toEqual([200, 200])
  expect(newest).toMatchObject({ id: created.id, expiresAtUtc: null })
  const hours = (Date.parse(previous?.expiresAtUtc ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  expect(hours).toBeLessThanOrEqual(24)
  expect(await statusOf(client, client.secret)).toBe(401)
  expect(await statusOf(client, created.plaintextKey)).toBe(200)
  expect(await list(client)).toHaveLength(1)
})

test('a secret that is replaced with an overlap of 0 hours ends at once, with the sessions of the principal', async () => {
  const client = await given.localPrincipal({ roles: ['admin.manage'] })
  const visitor = browser(app)
  const payload = { clientId: client.clientId, clientSecret: client.secret }
  await visitor.send({ method: 'POST', url: '/admin/session', payload })
  const before = await visitor.send({ method: 'GET', url: '/admin/session' })

  const { plaintextKey } = await rotate(client, 0)

  expect([await statusOf(client, client.secret), await statusOf(client, plaintextKey)]).toEqual([401, 200])
  const after = await visitor.send({ method: 'GET', url: '/admin/session' })
  expect([before.statusCode, after.statusCode]).toEqual([200, 401])
})

test('the old and the new secret can be deleted, but not the last one, and the one that is left does not end', async () => {
  const [one, other] = [await given.localPrincipal(), await given.localPrincipal()]
  const [created, leaked] = [await rotate(one, 24), await rotate(other, 24)]
  const previous = (await list(one)).find(({ id }) => id !== created.id)

  const deleted = [await remove(one, previous?.id ?? 0), await remove(other, leaked.id)]
  const refused = await remove(one, created.id)
  await letSecretsEnd(other)

  expect(deleted.map(({ status }) => status)).toEqual([200, 200])
  expect(refused).toMatchObject({ status: 409, problem: 'LastSecret' })
  expect([await statusOf(one, one.secret), await statusOf(one, created.plaintextKey)]).toEqual([401, 200])
  expect([await statusOf(other, other.secret), await statusOf(other, leaked.plaintextKey)]).toEqual([200, 401])
  expect(await remove(one, leaked.id)).toMatchObject({ status: 404, problem: 'SecretNotFound' })
})

test('a principal has at most ten valid secrets', async () => {
  const client = await given.localPrincipal()
  for (let secrets = 1; secrets < 10; secrets++) await rotate(client, 24)

  const refused = await admin.call(createLocalPrincipalSecret, {
    params: { id: client.id },
    body: { previousValidHours: 24 },
  })

  expect(refused).toMatchObject({ status: 409, problem: 'TooManySecrets' })
  expect(await list(client)).toHaveLength(10)
})

test('the last use of each secret and of the principal is shown, and is not written for every request', async () => {
  const client = await given.localPrincipal()
  const read = async () => (await admin.call(getLocalPrincipal, { params: { id: client.id } })).body.lastUsedUtc
  const unused = [await read(), (await list(client))[0]?.lastUsedUtc]
  const created = await rotate(client, 24)

  const first = await ask(client, client.secret)
  const [newest, previous] = await list(client)
  await ask(client, client.secret)
  const again = (await list(client))[1]

  expect(unused).toEqual([null, null])
  expect(newest).toMatchObject({ id: created.id, lastUsedUtc: null })
  expect(Math.abs(Date.now() - Date.parse(previous?.lastUsedUtc ?? ''))).toBeLessThan(10_000)
  expect(again?.lastUsedUtc).toBe(previous?.lastUsedUtc)
  expect(await read()).toBe(previous?.lastUsedUtc)
  await withToken(first.body.access_token).call(whoAmI)
  const used = await until(async () => {
    const at = await read()
    return at === previous?.lastUsedUtc ? undefined : at
  })
  await withToken(first.body.access_token).call(whoAmI)
  expect(await read()).toBe(used)
})

test('using a principal does not change its ETag', async () => {
  const client = await given.localPrincipal()
  const etag = async () => (await admin.call(getLocalPrincipal, { params: { id: client.id } })).headers.etag
  const before = await etag()

  await ask(client, client.secret)

  expect(await etag()).toBe(before)
})
