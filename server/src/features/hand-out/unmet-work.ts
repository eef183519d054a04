import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isLostTooOftenSql } from '../deployments/abandon-work.ts'
import { lockDependentWork } from '../deployments/fail-dependent-work.ts'
import { deleteReinstallGroups } from '../deployments/reinstall-groups.ts'
import { cancelWorkCtes } from '../work-states/cancel-work.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import type { WorkCandidate } from './work-candidates.ts'
import { unmetConditionOfWork } from './work-facts.ts'

/**
 * Whether a contact ends the open work item `w` instead of handing it out: it was lost too often, or the
 * computer does not meet a condition of the package any more.
 */
export const isToEnd: RawBuilder<boolean> = sql`(
  ${isLostTooOftenSql('w')} or w.not_before <= now() and ${unmetConditionOfWork} is not null)`

export async function hasWorkToEnd(db: Database, clientId: number): Promise<boolean> {
  const { rows } = await sql`
    select from work w
    where w.computer_id = ${clientId} and ${isOpenWork('w.state')} and ${isToEnd}
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Cancels work with packages that are not applicable to their computer any more, and what requires these packages: nothing has failed,
 * and neither a task nor a rollout waits for them. The caller has locked all open work of the computer.
 */
export async function withdrawUnmetWork(db: Database, items: readonly WorkCandidate[]): Promise<void> {
  for (const { id, computer_id, package_id, unmet_condition: sentence } of items) {
    await cancelUnmet(db, [id], sentence ?? '')
    const name = await getPackageName(db, package_id)
    const dependents = await lockDependentWork(db, computer_id, name)
    if (dependents.length === 0) continue
    await cancelUnmet(
      db,
      dependents.map((dependent) => dependent.id),
      `It requires ${name}. ${sentence}`,
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

async function cancelUnmet(db: Database, ids: readonly number[], sentence: string): Promise<void> {
  await sql`
    with ${cancelWorkCtes(sql`select unnest(${ids}::bigint[]) as id`, { reason: 'ConditionUnmet', subject: sentence })}
    select from cancelled`.execute(db)
}
