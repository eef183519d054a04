import type { Database } from '../../database/connect.ts'
import type { Services } from '../../platform/services.ts'
import type { ReportReader } from './messages/report-reader.ts'

/** What all that agents say here is handled with. */
export type Channel = { db: Database; services: Services; reader: ReportReader }
