import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/database/connect.ts'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { purgeRateLimits } from '../../src/platform/load/rate-limit.ts'
import { type Caller, caller } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'

const limit = 3
const { app, database, db, given, withToken } = await openWorld({ configuration: { tokenRateLimit: limit } })
const { clientId, secret } = await given.localPrincipal()
const node = withToken(undefined)

/** Another node of the service on the same database, and the statements that it has sent. */
async function openNode(
  tokenRateLimit = limit,
): Promise<Caller & { statementCount(): number; close(): Promise<void> }> {
  const ownConnections = connect(database.connection)
  const other = await buildApp({
    database: ownConnections,
    configuration: { ...app.services.configuration, tokenRateLimit },
  })
  return {
    ...caller(other, undefined),
    statementCount: ownConnections.statementCount,
    async close() {
      await other.http.close()
      await ownConnections.close()
    },
  }
}

let lastAddress = 0
const newAddress = () => `192.0.2.${++lastAddress}`

async function requestTokenFrom(address: string, from: Caller = node, client = `unknown ${Math.random()}`) {
  const response = await from.send({
    method: 'POST',
    url: requestToken.path,
    remoteAddress: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client,
      client_secret: client === clientId ? secret : 'wrong',
    }).toString(),
  })
  return response.status
}

const countedKeys = async () => {
  const { count } = await db
    .selectFrom('rate_limits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('nodes that share a database count requests together', async () => {
  const other = await openNode()
  const address = newAddress()

  const statuses = [
    await requestTokenFrom(address, node),
    await requestTokenFrom(address, other),
    await requestTokenFrom(address, node),
    await requestTokenFrom(address, other),
    await requestTokenFrom(address, node),
  ]
  await other.close()

  expect(statuses).toEqual([401, 401, 401, 429, 429])
})

test('the addresses of one IPv6 network are counted together', async () => {
  const statuses: number[] = []
  for (let host = 0; host <= limit; host++) statuses.push(await requestTokenFrom(`2001:db8:7:7::${host}`))

  expect(statuses).toEqual([...Array(limit).fill(401), 429])
  expect(await requestTokenFrom('2001:db8:7:8::1')).toBe(401)
})

test('a request beyond the limit costs no statement', async () => {
  const other = await openNode()
  const address = newAddress()
  for (let request = 0; request < limit; request++) await requestTokenFrom(address, other)

  const before = other.statementCount()
  const status = await requestTokenFrom(address, other)
  const after = other.statementCount()
  await other.close()

  expect(status).toBe(429)
  expect(after).toBe(before)
})

test('a limit of 0 counts nothing', async () => {
  const other = await openNode(0)
  const address = newAddress()
  const before = await countedKeys()

  const statuses = []
  for (let request = 0; request <= limit; request++) statuses.push(await requestTokenFrom(address, other))
  await other.close()

  expect(statuses).toEqual(Array(limit + 1).fill(401))
  expect(await countedKeys()).toBe(before)
})

test('client ids of any length and with any character are counted for all nodes', async () => {
  const other = await openNode()
  const client = `\0'"%${'ä'.repeat(1_000)}`

  const address = newAddress()

  const statuses = []
  for (const from of [node, other, node, other]) statuses.push(await requestTokenFrom(address, from, client))
  await other.close()

  expect(statuses).toEqual([401, 401, 401, 429])
})

test('counts of past minutes are purged, and current ones are kept', async () => {
  await requestTokenFrom(newAddress())
  const inThePast = await countedKeys()
  await db
    .updateTable('rate_limits')
    .set({ expire: Date.now() - 90_000 })
    .execute()
  await requestTokenFrom(newAddress())

  const purged = await purgeRateLimits(db)

  expect(purged).toBe(inThePast)
  expect(await countedKeys()).toBe(2)
})

// The last test, because the count that timed out is still executed once the lock is released.
test('while the database cannot count, requests are answered and each process limits its own', async () => {
  const other = await openNode()
  const address = newAddress()

  const { statuses, milliseconds } = await db.transaction().execute(async (tx) => {
    await sql`lock table rate_limits in access exclusive mode`.execute(tx)
    const start = performance.now()
    const answers = [await requestTokenFrom(address, other, clientId)]
    for (let request = 0; request < limit; request++) answers.push(await requestTokenFrom(address, other))
    return { statuses: answers, milliseconds: performance.now() - start }
  })
  await other.close()

  expect(statuses).toEqual([200, 401, 401, 429])
  // The first request waits for two seconds, and the others not at all.
  expect(milliseconds).toBeLessThan(4_000)
})
