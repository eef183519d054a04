import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { lockComputer } from '../computers/computers.ts'
import { computerScope, lockScope, pinScopeGroups } from '../deployments/activation/activation-scope.ts'

/**
 * Locks what the end of an installation changes, in the lock order: it also publishes what is assigned, as an activation does.
 * An enrolment that confirms an installation has locked the computer before; should that deadlock, it is repeated.
 */
export async function lockInstallation(db: Database, clientId: number): Promise<void> {
  const scope = computerScope(clientId, true)
  await pinScopeGroups(db, scope)
  await lockComputer(db, clientId)
  await sql`select from inventory_sections where computer_id = ${clientId} order by section for update`.execute(db)
  await lockScope(db, scope)
  await lockAgent(db, clientId)
  await sql`select from activations where computer_id = ${clientId} order by group_id for update`.execute(db)
}
