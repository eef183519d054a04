import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { type NewConnection, recordConnections, registerNode } from '../../src/features/agents/wake/presence.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openTransaction } from '../world/open-transaction.ts'
import { openWorld } from '../world/open-world.ts'

const { db, given } = await openWorld({ hasOwnDatabase: true })
const world = deploymentsIn(db, given)

const gate = sql.lit(35)

/** A statement that decodes something waits for the gate: it has read its snapshot by then, and has locked no row. */
async function withGate<T>(use: (tx: Database) => Promise<T>): Promise<T> {
  await sql`create schema gated`.execute(db)
  await sql`
    create function gated.decode(encoded text, format text) returns bytea language plpgsql as $body$
    begin
      perform pg_advisory_xact_lock_shared(${gate});
      return pg_catalog.decode(encoded, format);
    end $body$`.execute(db)
  return db.transaction().execute(async (tx) => {
    await sql`
      select set_config('search_path', 'gated, pg_catalog, ' || current_setting('search_path'), true)`.execute(tx)
    return use(tx)
  })
}

const countRecorded = async ({ computerId }: NewConnection) => {
  const rows = db.selectFrom('wake_connections').select('computer_id').where('computer_id', '=', computerId)
  return (await rows.execute()).length
}

test('a credential that ends after the statement that records its connection has begun is not recorded', async () => {
  const computer = await given.computer()
  const secretHash = randomBytes(32)
  await world.agent(computer, { secret_hash: secretHash })
  const connection = { computerId: computer.id, secretHash }
  const nodeId = randomUUID()
  await registerNode(db, nodeId)

  const closed = await openTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${gate})`.execute(tx)
  })
  const recording = withGate((tx) => recordConnections(tx, nodeId, [connection]))
  await closed.untilAwaited()
  await sql`update agents set secret_hash = ${randomBytes(32)} where computer_id = ${computer.id}`.execute(db)
  await closed.release()

  expect(await recording).toEqual(new Map([[computer.id, 'Locked']]))
  expect(await countRecorded(connection)).toBe(0)
  expect(await recordConnections(db, nodeId, [connection])).toEqual(new Map([[computer.id, 'Refused']]))
})
