import type { Database } from '../../../database/connect.ts'
import { leaseWork } from '../../../features/hand-out/lease-work.ts'

/**
 * Leases what is due for the computer of a device. Work that was leased before and has not started did not arrive; work
 * that has started keeps its lease.
 */
export async function leaseDeviceWork(db: Database, { computer_id, run_id }: { computer_id: number; run_id: string }) {
  const { work } = await leaseWork(db, {
    clientId: computer_id,
    runId: run_id,
    isDuplicateProcess: true,
    hasNoLeasedWork: true,
    environment: 'OperatingSystem',
    requestedPackages: [],
    mayRefuse: true,
  })
  return work
}
