import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { whoAmI } from '../../../src/features/service/api/who-am-i.ts'
import { readConfiguration } from '../../../src/platform/configuration.ts'
import { readKeyFile } from '../../../src/platform/keys/key-file.ts'
import { type Caller, caller } from '../../world/caller.ts'
import { givenIn } from '../../world/given.ts'
import { copyOfTemplate } from '../../world/test-database.ts'
import { newKeyFile } from './key-files.ts'

const base = readConfiguration({ MUSTER_TOKEN_RATE_LIMIT: '0' })

/** An installation without a key file, and nodes that share its database. */
async function openInstallation() {
  const database = await copyOfTemplate()
  const node = async (keyFile?: string) => {
    const configuration = { ...base, keyFile: keyFile === undefined ? undefined : readKeyFile(keyFile) }
    const app = await buildApp({ database, configuration })
    onTestFinished(() => app.http.close())
    return app
  }
  const first = await node()
  return { database, node, first, given: givenIn(database.db, first) }
}

/** Everything in the tables of the keys, with bytes as hexadecimal digits. */
async function storedKeys({ db }: { db: Awaited<ReturnType<typeof copyOfTemplate>>['db'] }): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(k::text, ' ') from server_keys k) || (select string_agg(k::text, ' ') from signing_keys k)
      as text`.execute(db)
  return rows[0]?.text ?? ''
}

const statusOf = async (client: Caller) => (await client.call(whoAmI)).status

test('a start with a key file protects all keys, and tokens, secrets and values of before stay valid', async () => {
  const { database, node, first, given } = await openInstallation()
  const { id, clientId, secret } = await given.localPrincipal()
  const [token, sealed] = [await first.services.tokens.issue(id), first.services.keys.sealValue('p4ssword')]
  const { rows: plain } = await sql<{ key: string }>`
    select encode(key, 'hex') as key from server_keys union all
    select private_key ->> 'd' from signing_keys`.execute(database.db)

  const protectedNode = await node(await newKeyFile())

  const stored = await storedKeys(database)
  expect(plain.length).toBeGreaterThanOrEqual(5)
  for (const { key } of plain) expect(stored).not.toContain(key)
  expect(await statusOf(caller(protectedNode, token))).toBe(200)
  expect(await protectedNode.services.keys.unsealValue(sealed)).toBe('p4ssword')
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  expect((await caller(protectedNode, undefined).call(requestToken, { body })).status).toBe(200)
})

test('nodes that start at once with a key file wrap the keys once and accept the tokens of each other', async () => {
  const { node, given } = await openInstallation()
  const file = await newKeyFile()

  const nodes = await Promise.all([node(file), node(file), node(file)])

  const { id } = await given.localPrincipal()
  for (const issuing of nodes)
    for (const accepting of nodes)
      expect(await statusOf(caller(accepting, await issuing.services.tokens.issue(id)))).toBe(200)
})

test('without the key file, or with another one, the service does not start and the keys stay as they are', async () => {
  const { database, node, first } = await openInstallation()
  const file = await newKeyFile()
  const { id } = readKeyFile(file)
  await node(file)
  const before = await storedKeys(database)

  await expect(node()).rejects.toThrow(`protected by the key file ${id}. Set MUSTER_KEY_FILE`)
  await expect(node(await newKeyFile())).rejects.toThrow(`protected by the key file ${id}, but MUSTER_KEY_FILE is`)
  // A node that still runs without the file must not add a key that the others do not accept.
  await expect(first.signingKeys.rotate()).rejects.toThrow('Set MUSTER_KEY_FILE')
  expect(await storedKeys(database)).toBe(before)
})

test('somebody who can write to the database but has no key file cannot add a signing key', async () => {
  const { database, node, given } = await openInstallation()
  const app = await node(await newKeyFile())
  const { id } = await given.localPrincipal()
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const kid = randomUUID()
  const jwk = JSON.stringify(await exportJWK(privateKey))
  await sql`insert into signing_keys (id, private_key) values (${kid}, ${jwk}::jsonb)`.execute(database.db)
  const forged = await new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
    .setIssuer('urn:muster')
    .setAudience('urn:muster')
    .setSubject(String(id))
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)

  await app.reload()

  expect(await statusOf(caller(app, forged))).toBe(401)
  expect(await statusOf(caller(app, await app.services.tokens.issue(id)))).toBe(200)
  await sql`update signing_keys set key_file_id = ${app.services.configuration.keyFile?.id ?? ''}`.execute(database.db)
  await expect(app.reload()).rejects.toThrow()
})

test('a key cannot be copied to another place in the database', async () => {
  const { database, node } = await openInstallation()
  const file = await newKeyFile()
  await node(file)
  await sql`
    update server_keys set key = (select key from server_keys where purpose = 'secret-values')
    where purpose = 'secret-hash'`.execute(database.db)

  await expect(node(file)).rejects.toThrow()
})

test('a key file contains 32 bytes as base64 or hexadecimal digits, and a systemd credential is found by its name', async () => {
  const hex = await newKeyFile('0f'.repeat(32))
  const base64 = await newKeyFile(Buffer.from('0f'.repeat(32), 'hex').toString('base64'))
  const credential = join(dirname(hex), 'muster-key')
  await copyFile(hex, credential)

  const ids = [
    readConfiguration({ MUSTER_KEY_FILE: hex }),
    readConfiguration({ MUSTER_KEY_FILE: base64, CREDENTIALS_DIRECTORY: '/nowhere' }),
    readConfiguration({ CREDENTIALS_DIRECTORY: dirname(hex) }),
  ].map(({ keyFile }) => keyFile?.id)

  expect(new Set(ids).size).toBe(1)
  expect(JSON.stringify(readConfiguration({ MUSTER_KEY_FILE: hex }))).not.toContain('0f0f')
  expect(readConfiguration({ CREDENTIALS_DIRECTORY: '/nowhere' }).keyFile).toBeUndefined()
  for (const content of ['', 'password', '0f'.repeat(31), 'A'.repeat(60)])
    await expect(newKeyFile(content).then((file) => readConfiguration({ MUSTER_KEY_FILE: file }))).rejects.toThrow(
      '32 bytes',
    )
  expect(() => readConfiguration({ MUSTER_KEY_FILE: '/nowhere/key' })).toThrow('cannot be read')
})
