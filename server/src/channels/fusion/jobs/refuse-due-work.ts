import type { Database } from '../../../database/connect.ts'
import { failWork } from '../../../features/deployments/abandon-work.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import { leaseDeviceWork } from './lease-device-work.ts'

/** Fails the due work of a device that cannot get jobs. Without that, the work would stay pending forever. */
export async function refuseDueWork(db: Database, deviceId: number, reason: string): Promise<void> {
  await retryConflicts(() =>
    db.transaction().execute(async (transaction) => {
      const device = await transaction
        .selectFrom('fusion_devices')
        .select(['computer_id', 'run_id'])
        .where('id', '=', deviceId)
        .executeTakeFirst()
      if (!device || device.computer_id === null) return
      const { computer_id, run_id } = device
      const work = await leaseDeviceWork(transaction, { computer_id, run_id })
      // The answer to the contact asks for a refresh, which needs no job.
      const refused = work.filter(({ kind }) => kind !== 'Refresh')
      await failWork(
        transaction,
        refused.map(({ workId }) => workId),
        reason,
      )
    }),
  )
}
