import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** What the notification of a decision about an agent in quarantine contains. Without it, processes look every two seconds. */
export const decisionNotice = 'decision'

/** Calls the agents in quarantine about which a person has decided, once the transaction is committed. */
export async function callAfterDecision(db: Database): Promise<void> {
  await sql`select pg_notify('muster_wake', ${decisionNotice})`.execute(db)
}

/**
 * Records that the agent of a computer is about to open a wake connection: what is created for it until then calls it as soon as
 * it is connected. An agent that leaves the quarantine has to open another connection, and makes a contact before that.
 */
export async function expectConnection(db: Database, computerId: number): Promise<void> {
  await sql`
    insert into wake_connections (computer_id, disconnected_at) values (${computerId}, now())
    on conflict on constraint wake_connections_pkey do nothing`.execute(db)
}
