import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { newAgentCredential } from '../server/src/features/agents/agent-credentials.ts'
import type { ServerKeys } from '../server/src/platform/authentication/server-keys.ts'

export type BenchAgent = { clientId: number; credential: string; secretHash: Buffer }

/** Gives every computer an agent so that lookups search a large table, and returns the agents of these computers. */
export async function enrolAgents(db: Database, keys: ServerKeys, clientIds: readonly number[]): Promise<BenchAgent[]> {
  await sql`
    insert into agents (computer_id, secret_hash, enrolment_key_hash)
    select id, ${randomBytes(32)}, ${randomBytes(32)} from computers
    on conflict do nothing`.execute(db)
  const agents = clientIds.map((clientId) => ({ clientId, ...newAgentCredential(keys, clientId) }))
  for (const { clientId, secretHash } of agents)
    await db.updateTable('agents').set({ secret_hash: secretHash }).where('computer_id', '=', clientId).execute()
  await sql`vacuum analyze`.execute(db)
  return agents
}
