import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isNotRolledBack, isRolledBack, maxRollbackAttempts, patchesToRollBack } from './rollbacks.ts'

export const patchRollbackStates = ['Waiting', 'RolledBack', 'NotRolledBack'] as const

type RollbackRow = {
  clientId: number
  hostname: string
  productId: number
  productName: string
  state: (typeof patchRollbackStates)[number]
  outcome: 'RolledBack' | 'Refused' | null
  reason: string | null
  isInstalled: boolean
  askedUtc: Date | null
  endedUtc: Date | null
  agentVersion: string | null
}

/** A patch, of one policy or of all, on one computer or on all. */
type RollbackScope = { patchId: number; policyId?: number | null; computerId?: number | null }

/** The computers that roll a patch back: those that were asked, and those that will be. */
export function rollbackRows(db: Database, { patchId, policyId = null, computerId = null }: RollbackScope) {
  const having = sql<{ owner_id: number }>`
    select have.computer_id as owner_id from computer_patches have where have.patch_id = ${patchId} and not have.is_missing
      and (${computerId}::integer is null or have.computer_id = ${computerId}::integer)`
  const rows = sql<RollbackRow>`(
    select item.computer_id as "clientId", computers.name as hostname, item.product_id as "productId",
      patch_products.name as "productName", item.asked_at as "askedUtc", item.ended_at as "endedUtc",
      agents.version as "agentVersion", item.outcome, item.reason, coalesce(not scanned.is_missing, false) as "isInstalled",
      case when not item.is_asked then 'Waiting' when ${isRolledBack('item', 'scanned')} then 'RolledBack'
        when ${isNotRolledBack('item', 'scanned', 'agents')} then 'NotRolledBack' else 'Waiting' end as state
    from (
      select computer_id, patch_id, product_id, true as is_asked, attempts, agent_version, asked_at, outcome, reason, ended_at
      from patch_rollbacks
      where patch_id = ${patchId} and (${policyId}::integer is null or policy_id = ${policyId}::integer)
        and (${computerId}::integer is null or computer_id = ${computerId}::integer)
      union all
      select todo.computer_id, todo.patch_id, todo.product_id, false, null, null, null, null, null, null
      from (${patchesToRollBack(having)}) as todo
      where todo.patch_id = ${patchId} and (${policyId}::integer is null or todo.policy_id = ${policyId}::integer) and not exists (
        select from patch_rollbacks asked where asked.policy_id = todo.policy_id and asked.patch_id = todo.patch_id
          and asked.product_id = todo.product_id and asked.computer_id = todo.computer_id)
    ) as item
      join computers on computers.id = item.computer_id
      join patch_products on patch_products.id = item.product_id
      left join agents on agents.computer_id = item.computer_id
      left join computer_patches scanned on scanned.computer_id = item.computer_id and scanned.patch_id = item.patch_id
        and scanned.product_id = item.product_id)`.as<'rollback'>(sql`rollback_of_computer`)
  return db.selectFrom(rows).selectAll()
}

/** In the shape of the API. */
export function toRollbackAnswer(row: RollbackRow) {
  const { outcome: _, reason: __, isInstalled: ___, ...shown } = row
  return { ...shown, message: describeRollback(row) }
}

function describeRollback({ state, outcome, reason, isInstalled, askedUtc, agentVersion }: RollbackRow): string {
  if (state === 'Waiting')
    return askedUtc ? 'The agent was asked, and has not answered yet.' : 'It waits for the fix package of the computer.'
  if (state === 'NotRolledBack')
    return outcome
      ? (reason ?? 'The agent did not say why.')
      : `The agent was asked ${maxRollbackAttempts} times and has not answered: its fix package fails, or its version ${agentVersion ?? ''} ` +
          'is too old to roll patches back. A later version is asked again.'
  if (isInstalled) return 'It was rolled back, and is installed again: something other than this policy has brought it.'
  return reason ?? 'It is not installed any more.'
}

/** What has become of the rollback of a patch on a computer, as sentences for people; undefined if it does not roll it back. */
export async function findRollbackText(db: Database, computerId: number, patchId: number): Promise<string | undefined> {
  const row = await rollbackRows(db, { patchId, computerId }).orderBy('askedUtc', 'desc').limit(1).executeTakeFirst()
  if (!row) return undefined
  const states = {
    Waiting: 'is to be rolled back',
    RolledBack: 'was rolled back',
    NotRolledBack: 'could not be rolled back',
  }
  return `The patch ${states[row.state]}: a person has stopped it. ${describeRollback(row)}`
}
