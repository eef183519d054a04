import type { ConnectedDatabase } from '../database/connect.ts'
import { settlesWithin } from '../database/embedded-postgres/settles-within.ts'

// Containers are killed ten seconds after SIGTERM. The steps of stopping share nearly nine of them: a busy
// machine needs the rest.

/** How long requests and background tasks may take to end by themselves. */
export const graceMs = 4_000
/** How long they may take to fail after their statements were cancelled. */
export const cancellationMs = 1_000
/** After this long, a worker is killed. Its connections take a second to close. */
export const workerStopMs = graceMs + cancellationMs + 2_000
/** When the embedded database must have ended. */
export const stopMs = 8_000

/** Waits until the work has ended. After the grace period its statements are cancelled, and soon after it is abandoned. */
export async function endInTime(
  work: Promise<unknown>,
  database: Pick<ConnectedDatabase, 'cancelStatements'>,
): Promise<void> {
  if (await settlesWithin(work, graceMs)) return
  await database.cancelStatements()
  await settlesWithin(work, cancellationMs)
}
