import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import {
  type NewConnection,
  recordConnections,
  recordSeen,
  registerNode,
} from '../../src/features/agents/wake/presence.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { listFleetComputers } from '../../src/features/fleet/api/list-fleet-computers.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { listStaleAgentComputers } from '../../src/features/issues/api/list-stale-agent-computers.ts'
import { listStaleInventoryComputers } from '../../src/features/issues/api/list-stale-inventory-computers.ts'
import { recordComputerStates } from '../../src/features/issues/states/record-computer-states.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openTransaction } from '../world/open-transaction.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld({ hasOwnDatabase: true })
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

test('a live connection counts as seen, in every sweep and filter that asks for it, and a lost one does not', async () => {
  const domain = 'connected.example.org'
  const longAgo = new Date(Date.now() - 40 * 86_400_000)
  const [connected, lost] = [
    await given.computer({ domain, lastSeen: longAgo }),
    await given.computer({ domain, lastSeen: longAgo }),
  ]
  const nodeId = randomUUID()
  await registerNode(db, nodeId)
  for (const computer of [connected, lost]) await world.agent(computer, { secret_hash: randomBytes(32) })
  await sql`
    insert into wake_connections (computer_id, node_id, disconnected_at)
    values (${connected.id}, ${nodeId}, null), (${lost.id}, null, now())`.execute(db)
  const group = await given.group()
  for (const computer of [connected, lost]) {
    await given.member(group, computer)
    await world.work(computer, await given.package())
  }

  await recordSeen(db, nodeId)
  await recordComputerStates(db)

  const reader = as('computer.read')
  const ids = ({ body }: { body: { items: { id: number }[] } }) => body.items.map(({ id }) => id)
  const inventory = { domain, minDaysStale: 0 }
  expect({
    silent: ids(await reader.call(listStaleAgentComputers, { query: { domain } })),
    seenToday: ids(await reader.call(listStaleInventoryComputers, { query: { ...inventory, lastSeenWithinDays: 1 } })),
    found: ids(
      await reader.call(searchComputers, {
        body: { domain, lastSeenAfter: new Date(Date.now() - 3_600_000).toISOString() },
      }),
    ),
    ofTheDay: ids(await reader.call(listFleetComputers, { query: { groupId: [group.id], lastContact: ['Day'] } })),
    reporting: ids(
      await reader.call(listFleetComputers, { query: { groupId: [group.id], agentStatus: ['Reporting'] } }),
    ),
  }).toEqual({
    silent: [lost.id],
    ...{ seenToday: [connected.id], found: [connected.id], ofTheDay: [connected.id], reporting: [connected.id] },
  })
  const healthOf = async ({ id }: { id: number }) =>
    (await reader.call(getComputerHealth, { params: { id } })).body.agentStatus
  expect([await healthOf(connected), await healthOf(lost)]).toEqual(['Reporting', 'Silent'])
  const explainedOf = async ({ id }: { id: number }) => {
    const [item] = await db.selectFrom('work').select('package_id').where('computer_id', '=', id).execute()
    const { body } = await reader.call(explainComputer, {
      params: { id },
      query: { packageId: item?.package_id ?? '' },
    })
    return body.blockers.some(({ reason }) => reason === 'AgentSilent')
  }
  expect([await explainedOf(connected), await explainedOf(lost)]).toEqual([false, true])
})

test('there is one record of when a computer was seen, so whatever reads it counts live connections', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and column_name ~ '(seen|contact)' and data_type = 'timestamp with time zone'
    order by 1`.execute(db)

  expect(rows.map(({ name }) => name)).toEqual([
    // A second process with the credential of the agent.
    'agents.duplicate_seen_at',
    'computer_contacts.last_seen_at',
    'fusion_devices.first_seen_at',
    // Not a computer, but what was found on computers.
    'vulnerabilities.first_seen_at',
    'vulnerable_components.first_seen_at',
    'wake_nodes.seen_at',
  ])
})
