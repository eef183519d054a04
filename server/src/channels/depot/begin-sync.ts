import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Uuid } from '../../platform/schema.ts'

const keptJobs = 100

export const beginSync = operation({
  id: 'beginSync',
  route: 'POST /depot/v1/sync-jobs',
  summary: 'Begin the job that waits for the depot, or one of its schedule',
  description: 'A job of the depot that still counts as running has failed: it was interrupted.',
  role: 'machine',
  returns: ok(closed({ jobId: Uuid })),
  async handle({ db, machine: { clientId } }) {
    // Beginnings of one depot wait for each other here.
    await sql`select from depots where computer_id = ${clientId} for update`.execute(db)
    await db
      .updateTable('sync_jobs')
      .set({ status: 'Failed', finished_at: sql`now()`, message: 'The depot was interrupted.' })
      .where('computer_id', '=', clientId)
      .where('status', '=', 'Running')
      .execute()
    await forgetOldJobs(db, clientId)
    const waiting = await db
      .updateTable('sync_jobs')
      .set({ status: 'Running', started_at: sql`now()` })
      .where('computer_id', '=', clientId)
      .where('status', '=', 'Pending')
      .returning('id')
      .executeTakeFirst()
    if (waiting) return { jobId: waiting.id }
    const { id } = await db
      .insertInto('sync_jobs')
      .values({ computer_id: clientId, trigger: 'Schedule', status: 'Running', started_at: sql`now()` })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { jobId: id }
  },
})

async function forgetOldJobs(db: Database, clientId: number): Promise<void> {
  await sql`
    delete from sync_jobs where computer_id = ${clientId} and id < (
      select id from sync_jobs where computer_id = ${clientId} order by id desc offset ${keptJobs - 1} limit 1)`.execute(
    db,
  )
}
