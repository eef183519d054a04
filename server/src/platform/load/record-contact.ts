import { setTimeout as sleep } from 'node:timers/promises'
import { isLockTimeout } from '../../database/errors.ts'
import { resourceBusy } from '../general-problems.ts'

/** A change of one computer takes less. Agents of others that are refused come back after an hour. */
const pausesMs = [100, 300, 600]

/**
 * Records a contact. Its statement does not wait for rows that somebody has locked, because a few such computers would then
 * stop all others. It is repeated a few times instead, after pauses in which it needs no connection. Throws `resourceBusy`.
 */
export async function recordContact<Row extends { is_recorded: boolean }>(
  record: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  for (const pause of [0, ...pausesMs]) {
    if (pause > 0) await sleep(pause)
    const row = await record().catch(ignoreLockTimeout)
    if (row !== 'Locked' && row?.is_recorded !== false) return row
  }
  throw resourceBusy().withHeaders({ 'retry-after': '2' })
}

function ignoreLockTimeout(error: unknown): 'Locked' {
  if (isLockTimeout(error)) return 'Locked'
  throw error
}
