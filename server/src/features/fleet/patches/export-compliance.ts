import { byteOrderMark, formatCsvLine } from '@muster/text'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type ComplianceFilter, groupComplianceRows, matchingGroups } from './group-compliance.ts'

/** The memory of an export is bounded by this number of groups. */
const batchSize = 1_000

type Row = Awaited<ReturnType<ReturnType<typeof groupComplianceRows>['executeTakeFirstOrThrow']>>

const columns = {
  group: ({ path }) => path,
  computers: ({ computers }) => computers,
  scanned: ({ scanned }) => scanned,
  notScanned: ({ computers, scanned }) => computers - scanned,
  compliant: ({ compliant }) => compliant,
  lackingComputers: ({ lackingComputers }) => lackingComputers,
  missingPatches: ({ missingPatches }) => missingPatches,
  withinSla: ({ withinSla }) => withinSla,
  overdueComputers: ({ overdueComputers }) => overdueComputers,
  overduePatches: ({ overduePatches }) => overduePatches,
  overdueCritical: ({ overdue }) => overdue.critical,
  overdueImportant: ({ overdue }) => overdue.important,
  overdueModerate: ({ overdue }) => overdue.moderate,
  overdueLow: ({ overdue }) => overdue.low,
  overdueUnrated: ({ overdue }) => overdue.unrated,
} satisfies Record<string, (row: Row) => string | number>

/** The lines of all groups that meet the filter. Each batch is a statement of its own, which continues after the last group. */
export async function* exportCompliance(db: Database, filter: ComplianceFilter): AsyncGenerator<string> {
  yield byteOrderMark + formatCsvLine(Object.keys(columns))
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = await readBatch(db, filter, last)
    if (rows.length > 0)
      yield rows.map((row) => formatCsvLine(Object.values(columns).map((column) => column(row)))).join('')
    if (rows.length < batchSize) return
    last = rows.at(-1)
  }
}

function readBatch(db: Database, filter: ComplianceFilter, last: Row | undefined): Promise<Row[]> {
  let rows = groupComplianceRows(db, filter).where('groups.id', 'in', (query) =>
    query.selectFrom(matchingGroups(db, filter).as('matching')).select('matching.groupId'),
  )
  if (last) rows = rows.where(sql<boolean>`(groups.path, groups.id) > (${last.path}, ${last.groupId})`)
  return rows.orderBy('groups.path').orderBy('groups.id').limit(batchSize).execute()
}
