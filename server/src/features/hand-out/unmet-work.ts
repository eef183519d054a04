import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isLostTooOftenSql } from '../deployments/abandon-work.ts'
import { lockDependentWork } from '../deployments/fail-dependent-work.ts'
import { deleteReinstallGroups } from '../deployments/reinstall-groups.ts'
import type { Cancellation } from '../work-states/cancel-reasons.ts'
import { cancelWorkCtes } from '../work-states/cancel-work.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { unreadyReplacements } from './related-packages.ts'
import type { WorkCandidate } from './work-candidates.ts'
import { unmetConditionOfWork, type WorkFacts } from './work-facts.ts'

/**
 * Whether a contact ends the open work item `w` instead of handing it out: it was lost too often, or it is to be withdrawn
 * (`isToWithdraw`).
 */
export const isToEnd: RawBuilder<boolean> = sql`(
  ${isLostTooOftenSql('w')} or w.not_before <= now() and (${unmetConditionOfWork} is not null or ${unreadyReplacements} = '{}'))`

/**
 * Whether the computer does not meet a condition of the package any more, or nothing comes any more for which the package was to be
 * uninstalled.
 */
export const isToWithdraw = ({ unmet_condition, unready_replacements }: WorkFacts) =>
  unmet_condition !== null || unready_replacements?.length === 0

export async function hasWorkToEnd(db: Database, clientId: number): Promise<boolean> {
  const { rows } = await sql`
    select from work w
    where w.computer_id = ${clientId} and ${isOpenWork('w.state')} and ${isToEnd}
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Cancels work that is to be withdrawn, and what requires packages that are not applicable any more: nothing has failed, and neither
 * a task nor a rollout waits for them. The caller has locked all open work of the computer.
 */
export async function withdrawUnmetWork(db: Database, items: readonly WorkCandidate[]): Promise<void> {
  for (const { id, computer_id, package_id, unmet_condition: sentence } of items) {
    if (sentence === null) {
      await cancel(db, [id], { reason: 'NotReplaced' })
      continue
    }
    await cancel(db, [id], { reason: 'ConditionUnmet', subject: sentence })
    const name = await getPackageName(db, package_id)
    const dependents = await lockDependentWork(db, computer_id, name)
    if (dependents.length === 0) continue
    await cancel(
      db,
      dependents.map((dependent) => dependent.id),
      { reason: 'ConditionUnmet', subject: `It requires ${name}. ${sentence}` },
    )
    await deleteReinstallGroups(db, dependents)
  }
}

/** The name by which others require it. */
async function getPackageName(db: Database, packageId: string | null): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(package_name, '') as name from packages where id = ${packageId}`.execute(db)
  if (!rows[0]) throw new Error('Work with conditions has a package.')
  return rows[0].name
}

async function cancel(db: Database, ids: readonly number[], cancellation: Cancellation): Promise<void> {
  await sql`
    with ${cancelWorkCtes(sql`select unnest(${ids}::bigint[]) as id`, cancellation)}
    select from cancelled`.execute(db)
}
