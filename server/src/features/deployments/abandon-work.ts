import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { closeWorkItems } from './close-work-items.ts'
import { failDependentWork } from './fail-dependent-work.ts'
import { recordFailure, recordReportEvent, recordSetupError } from './record-deployment.ts'
import { deleteReinstallGroups } from './reinstall-groups.ts'
import { recordTrialFailure } from './trials/record-trial-result.ts'

/** A work item that crashes the agent every time must not be retried forever: after this many lost leases it fails. */
const maxLostLeases = 10

const lostTooOften = `The work was handed out ${maxLostLeases} times, and no agent reported a result.`

type Attempts = { id: number; attempt: number; failures: number; postponements: number; delays: number }

/** An attempt is lost if it neither failed nor was postponed, by the user or by the agent. */
export function isLostTooOften({ attempt, failures, postponements, delays }: Omit<Attempts, 'id'>): boolean {
  return attempt - failures - postponements - delays >= maxLostLeases
}

/** The same as an SQL condition on the alias of a work item. */
export function isLostTooOftenSql(work: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${work}.${name}`)
  const lost = sql`${column('attempt')} - ${column('failures')} - ${column('postponements')} - ${column('delays')}`
  return sql`(${lost} >= ${sql.lit(maxLostLeases)})`
}

/** Fails work items that were lost too often. The caller has locked all open work of the computer. */
export function abandonWork(db: Database, items: readonly Attempts[]): Promise<void> {
  return failWork(
    db,
    items.map(({ id }) => id),
    lostTooOften,
  )
}

/** Fails work items that no agent can carry out, and the work that depends on them. The caller has locked all open work. */
export async function failWork(db: Database, ids: readonly number[], errorText: string): Promise<void> {
  if (ids.length === 0) return
  const failed = await closeWorkItems(db, 'Failed', 'Service', sql`work.id = any(${ids}::bigint[])`)
  for (const item of failed) {
    if (item.kind === 'Trial') {
      await recordTrialFailure(db, item, errorText)
      continue
    }
    await recordFailure(db, item, errorText, null)
    await recordSetupError(db, item, { exitCode: null, commandLine: null, output: errorText })
    await recordReportEvent(db, item, 'Failed', null)
    await failDependentWork(db, item)
  }
  await deleteReinstallGroups(db, failed)
}
