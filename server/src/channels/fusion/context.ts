import type { Database } from '../../database/connect.ts'
import type { Services } from '../../platform/services.ts'
import type { ReportReader } from './messages/report-reader.ts'

/** What every handler of this channel needs. */
export type FusionContext = { db: Database; services: Services; reader: ReportReader }
