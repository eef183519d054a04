import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { activePrincipals } from '../features/principals/active-principals.ts'
import type { Role } from '../platform/roles.ts'

/** The principal that started a job, and the role that starting it needs. */
export type JobStarter = { principalId: number; role: Role }

/**
 * Why the job must have no effect any more, as a sentence for users: its principal may no longer start it. Undefined if it
 * may, or if the service started the job itself.
 */
export async function findStarterFault(db: Database, jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ role: string }>`
    select job.required_role as role from background_jobs job
    where job.id = ${jobId} and job.principal_id is not null and not exists (
      select from ${activePrincipals} principal
      where principal.id = job.principal_id and job.required_role = any(principal.roles))`.execute(db)
  return (
    rows[0] &&
    `The principal that started the job was revoked or deleted, has expired, or has lost the role ${rows[0].role}.`
  )
}
