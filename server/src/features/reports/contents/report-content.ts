import type { CsvValue } from '@muster/text'
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../database/connect.ts'

export type ReportColumn = {
  /** The name of the column in CSV. */
  name: string
  title: string
  /** Its share of the width of a page. */
  width: number
}

export type ReportTable = {
  title: string
  columns: readonly ReportColumn[]
  rows: CsvValue[][]
  /** The number of rows without the limit. */
  total: number
  /** Whether it only adds up another table. CSV leaves it out. */
  isSummary?: boolean
}

export type ReportScope = {
  groupId: string | null
  /** Selects the computers; undefined for all. */
  computers: RawBuilder<{ computer_id: number }> | undefined
}

/** Reads the tables of a report, none with more than `maxRows` rows. */
export type ReadContent = (db: Database, scope: ReportScope, maxRows: number) => Promise<ReportTable[]>
