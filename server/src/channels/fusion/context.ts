import type { Database } from '../../database/connect.ts'
import type { Services } from '../../platform/services.ts'
import type { ReportReader } from './messages/report-reader.ts'

/** What every handler of this channel needs. */
export type FusionContext = { db: Database; services: Services; reader: ReportReader }

/**
 * Runs the work for one device one after the other. Its requests lock the same rows, and those that wait here need no
 * database connection.
 */
export function inTurnOf<T>({ services }: FusionContext, device: string, work: () => Promise<T>): Promise<T> {
  return services.resourceQueues.run(`fusion device ${device}`, work)
}
