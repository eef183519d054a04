import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type ConnectedDatabase, type Connection, connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrations/migrate.ts'
import { openServerKeys } from '../../src/platform/authentication/server-keys.ts'
import { idempotencyKey } from '../../src/platform/pipeline/idempotency.ts'
import { copyOfTemplate } from '../world/test-database.ts'
import { openTransactionPooler } from '../world/transaction-pooler.ts'

function connectTo(connection: Connection): ConnectedDatabase {
  const database = connect(connection)
  onTestFinished(() => database.close())
  return database
}

async function countLocks({ pool }: ConnectedDatabase): Promise<number> {
  const { rows } = await pool.query(
    `select from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.length
}

test('behind a pooler in transaction mode, a start leaves no lock behind, and the next ones do not wait for it', async () => {
  const direct = await copyOfTemplate('template0')
  const pooler = await openTransactionPooler(direct.connection)

  const first = await migrate(connectTo(pooler).pool)
  const locks = await countLocks(direct)
  const later = [await migrate(connectTo(pooler).pool), await migrate(connectTo(pooler).pool)]

  expect(first.length).toBeGreaterThan(20)
  expect(locks).toBe(0)
  expect(later).toEqual([[], []])
})

test('behind a pooler in transaction mode, a stepwise change locks its Idempotency-Key until its end and no longer', async () => {
  const direct = await copyOfTemplate()
  const { db } = connectTo(await openTransactionPooler(direct.connection))
  const key = idempotencyKey(await openServerKeys(direct.db), 'pooled', 1, {})
  const locks: number[] = []

  for (const _ of [1, 2])
    await key.runExclusively(db, async () => {
      for (const _ of [1, 2, 3]) await sql`select 1`.execute(db)
      locks.push(await countLocks(direct))
    })

  expect(locks).toEqual([1, 1])
  expect(await countLocks(direct)).toBe(0)
})

test('stepwise changes under more Idempotency-Keys than there are connections do not wait for each other forever', async () => {
  const { connection, db: other } = await copyOfTemplate()
  const { db } = connect(connection, { size: 2 })
  onTestFinished(() => db.destroy())
  const keys = await openServerKeys(other)

  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      idempotencyKey(keys, `key-${n}`, 1, {}).runExclusively(db, () => sql<{ n: number }>`select 1`.execute(db)),
    ),
  )

  expect(answers).toHaveLength(5)
})
