import { type RawBuilder, sql } from 'kysely'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { Caller } from '../../platform/authentication/caller.ts'
import { QuotaExceeded } from '../../platform/pipeline/quota-exceeded.ts'
import { listComputerIds } from './affected-computers.ts'

/**
 * The number of computers that the caller may affect within an hour; null: any number. A program could sign in with its
 * secret to get the quota of people in the console, so both quotas apply to such a session, except for administrators,
 * who can change them.
 */
export async function findQuota(db: Database, { principal, session }: Caller): Promise<number | null> {
  const quotas = await db.selectFrom('installation').select(['api_quota', 'console_quota']).executeTakeFirst()
  if (!quotas) return null
  if (!session) return quotas.api_quota
  const mayBeProgram = session.provider === null && !principal.roles.has('admin.manage')
  return mayBeProgram ? minQuota(quotas.console_quota, quotas.api_quota) : quotas.console_quota
}

function minQuota(...quotas: (number | null)[]): number | null {
  const limits = quotas.filter((quota) => quota !== null)
  return limits.length > 0 ? Math.min(...limits) : null
}

/**
 * Counts a finished change against the quota, or throws. `declared` selects the computers that lose software when they are
 * activated. Other destructive changes of the principal, on any node, wait here until the transaction ends. Otherwise they could
 * exceed the quota together.
 */
export async function spendQuota(
  db: Database,
  principalId: number,
  quota: number,
  count: number,
  declared?: RawBuilder<{ computer_id: number }>,
): Promise<void> {
  if (count === 0) return
  await lockTextForTransaction(db, `destructive actions of principal ${principalId}`)
  const { rows } = await sql<{ used: number }>`select ${usedQuota(principalId)} as used`.execute(db)
  const used = rows[0]?.used ?? 0
  if (used + count > quota) {
    const text = `The caller may affect ${quota} computers within an hour with destructive actions, and has affected ${used}.`
    throw new QuotaExceeded(count, { quota, used, text })
  }
  await purgeOldActions(db)
  const computerIds = declared ? await listComputerIds(db, declared) : null
  await db
    .insertInto('destructive_actions')
    .values({ principal_id: principalId, computer_count: count, computer_ids: computerIds })
    .execute()
}

/** A scalar subquery: the number of computers that the principal has affected within the last hour. */
const usedQuota = (principalId: number) => sql<number>`(
  select coalesce(sum(computer_count), 0)::integer from destructive_actions
  where principal_id = ${principalId} and happened_at > clock_timestamp() - interval '1 hour')`

async function purgeOldActions(db: Database): Promise<void> {
  await sql`
    delete from destructive_actions where id in (
      select id from destructive_actions
      where happened_at < now() - interval '1 hour' limit 20 for update skip locked)`.execute(db)
}
