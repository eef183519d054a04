import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { unauthorized } from '../../platform/general-problems.ts'

/**
 * Locks the principal against a revocation, a change of its roles and a new secret until the transaction ends, or throws 401
 * if it is revoked or deleted. Call it before anything else of the transaction is locked, and check its rights afterwards.
 */
export async function lockActivePrincipal(tx: Database, principalId: number): Promise<void> {
  const { rows } = await sql<{ isActive: boolean }>`
    select lock_active_principal(${principalId}) as "isActive"`.execute(tx)
  if (!rows[0]?.isActive) throw unauthorized()
}
