import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { whoAmI } from '../../../src/features/service/api/who-am-i.ts'
import { countSealedValues, resealValues, sealedTables } from '../../../src/features/variables/reseal-values.ts'
import { openServerKeys } from '../../../src/platform/authentication/server-keys.ts'
import { readKeyFile } from '../../../src/platform/keys/key-file.ts'
import { addValueKey, loadValueKeys, rotateSigningKey } from '../../../src/platform/keys/rotate-keys.ts'
import { seal } from '../../../src/platform/sealing.ts'
import { databaseEnvironment, start, waitForSuccess } from '../../database/backup/commands.ts'
import { ownersIn } from '../../variables/owners.ts'
import { caller } from '../../world/caller.ts'
import { openWorld } from '../../world/open-world.ts'
import { newKeyFile } from './key-files.ts'

const world = await openWorld()
const { app, database, db, given } = world
const [computers, groups] = await ownersIn(world)
const environment = databaseEnvironment(database)

const keys = (args: string[], settings: Record<string, string> = {}) =>
  start('cli/keys', args, { ...environment, ...settings })

async function otherNode() {
  const node = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => node.http.close())
  return node
}

/** Stores one secret of each kind and returns what their tables contain. */
async function storeSecrets(value: string) {
  const [variable, parent] = [await given.variable({ is_secret: true }), await given.variable({ kind: 'Collection' })]
  await given.variable({ parent, designation: 'Password', is_secret: true })
  const [computer = 0, group = ''] = [await computers?.make(), await groups?.make()]
  await computers?.set(computer, variable.id, { value })
  await groups?.set(group, variable.id, { value })
  await computers?.addEntry(computer, parent.id, { Password: value })
  return { computer, variable }
}

async function listSealedValues(): Promise<Buffer[]> {
  const lists = await Promise.all(
    sealedTables.map(({ table }) =>
      sql<{ sealed: Buffer }>`
        select sealed_value as sealed from ${sql.table(table)} where sealed_value is not null`.execute(db),
    ),
  )
  return lists.flatMap(({ rows }) => rows.map(({ sealed }) => sealed))
}

test('a rotation of the value keys seals every value again, including those without a key id, and all nodes read them', async () => {
  const node = await otherNode()
  const { computer, variable } = await storeSecrets('p4ssword')
  const first = (await loadValueKeys(db, undefined)).get(1) ?? Buffer.alloc(32)
  // As versions before key ids stored them.
  await sql`update computer_variables set sealed_value = ${seal(first, 'p4ssword')}
    where variable_id = ${variable.id}`.execute(db)
  expect(await app.services.keys.unsealValue((await listSealedValues())[0] ?? Buffer.alloc(0))).toBe('p4ssword')

  const output = await waitForSuccess(keys(['rotate', 'values']))

  expect(output).toContain('3 of 3 values')
  expect(await countSealedValues(db)).toEqual(new Map([[2, 3]]))
  for (const sealed of await listSealedValues())
    for (const { services } of [app, node]) expect(await services.keys.unsealValue(sealed)).toBe('p4ssword')
  // A node that was not notified yet seals with the previous key, and the next rotation finds the value.
  const late = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => late.http.close())
  await addValueKey(db, undefined)
  await sql`update computer_variables set sealed_value = ${late.services.keys.sealValue('late')}
    where computer_id = ${computer}`.execute(db)
  expect(await waitForSuccess(keys(['rotate', 'values']))).toContain('Continuing the rotation to key 3')
  expect(await countSealedValues(db)).toEqual(new Map([[3, 3]]))
})

test('an interrupted rotation of the value keys loses nothing and is continued', async () => {
  for (let value = 0; value < 4; value++) await storeSecrets(`value ${value}`)
  const before = await Promise.all((await listSealedValues()).map((sealed) => app.services.keys.unsealValue(sealed)))
  const newest = await addValueKey(db, undefined)
  const stopping = new AbortController()

  const interrupted = resealValues(db, {
    keys: await loadValueKeys(db, undefined),
    batchSize: 2,
    signal: stopping.signal,
    onBatch: () => stopping.abort(),
  })
  await expect(interrupted).rejects.toThrow('aborted')
  expect((await countSealedValues(db)).get(newest)).toBe(2)
  await waitForSuccess(keys(['rotate', 'values']))

  expect(await countSealedValues(db)).toEqual(new Map([[newest, before.length]]))
  const after = await Promise.all((await listSealedValues()).map((sealed) => app.services.keys.unsealValue(sealed)))
  expect(after.sort()).toEqual(before.sort())
})

test('a value key is deleted when no value needs it and every node has read its successor', async () => {
  await sql`update server_keys set created_at = now() - interval '3 days' where purpose = 'secret-values'`.execute(db)
  const existing = [...(await loadValueKeys(db, undefined)).keys()]

  await waitForSuccess(keys(['rotate', 'values']))

  const newest = Math.max(...existing) + 1
  // The one that was in use until now stays, because a node may still seal with it.
  expect([...(await loadValueKeys(db, undefined)).keys()]).toEqual([newest - 1, newest])
})

test('every column of bytes either is sealed again by a rotation or does not depend on the value keys', async () => {
  /** Hashes, documents, and what is sealed with another key and ends within a day. */
  const others =
    /[._](hash|hash_state|proof|sha256|sha512)$|^(server_keys\.key|idempotency_keys\.sealed_answer|sessions\.id_token|repeated_requests\.key|approvals\.sealed_request|report_files\.content)$/
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`.execute(db)
  const sealed = rows.map(({ column }) => column).filter((column) => !others.test(column))

  expect(sealed.sort()).toEqual(sealedTables.map(({ table }) => `${table}.sealed_value`).sort())
})

test('a rotation of the signing keys keeps tokens valid on every node, and --end-tokens ends them', async () => {
  const node = await otherNode()
  const { id } = await given.localPrincipal()
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  const earlier = await app.services.tokens.issue(id)
  const statusOf = async (at: typeof app, token: string) => (await caller(at, token).call(whoAmI)).status

  await rotateSigningKey(db, undefined, false)
  await node.reload()
  const later = await node.services.tokens.issue(id)
  const afterRotation = await Promise.all([app, node].flatMap((at) => [statusOf(at, earlier), statusOf(at, later)]))
  await waitForSuccess(keys(['rotate', 'signing', '--end-tokens']))
  await Promise.all([app.reload(), node.reload()])
  const afterEnd = await Promise.all([app, node].flatMap((at) => [statusOf(at, earlier), statusOf(at, later)]))

  expect(kidOf(later)).not.toBe(kidOf(earlier))
  expect(afterRotation).toEqual([200, 200, 200, 200])
  expect(afterEnd).toEqual([401, 401, 401, 401])
})

test('no rotation changes the hashes of secrets, so agents, depots and principals are not locked out', async () => {
  const before = app.services.keys.hashSecret('secret').toString('hex')
  const derived = app.services.keys.deriveKey('fusion device').toString('hex')

  await rotateSigningKey(db, undefined, false)
  await addValueKey(db, undefined)
  await app.reload()

  expect(app.services.keys.hashSecret('secret').toString('hex')).toBe(before)
  expect(app.services.keys.deriveKey('fusion device').toString('hex')).toBe(derived)
  expect(before).not.toBe(createHmac('sha256', '').update('secret').digest('hex'))
})

test('the key file can be replaced, and the list of keys shows which one protects them', async () => {
  const [first, second] = [await newKeyFile(), await newKeyFile()]
  const [firstId, secondId] = [readKeyFile(first).id, readKeyFile(second).id]
  const hashBefore = (await openServerKeys(db, readKeyFile(first))).hashSecret('secret')

  await waitForSuccess(keys(['replace-file', first], { MUSTER_KEY_FILE: second }))

  const list = await waitForSuccess(keys(['list'], { MUSTER_KEY_FILE: second }))
  expect(list).not.toContain(firstId)
  expect(list.match(new RegExp(secondId, 'g'))?.length).toBeGreaterThan(5)
  expect((await openServerKeys(db, readKeyFile(second))).hashSecret('secret')).toEqual(hashBefore)
  await expect(rotateSigningKey(db, readKeyFile(first), false)).rejects.toThrow(`protected by the key file ${secondId}`)
})

test('the command for keys refuses unknown arguments and shows its help', async () => {
  const { code, output } = await keys(['rotate', 'hashes']).ended

  expect(code).toBe(2)
  expect(output).toContain('npm run keys -- rotate values')
})
