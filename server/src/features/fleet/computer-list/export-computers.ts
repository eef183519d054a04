import { byteOrderMark, formatCsvLine } from '@muster/text'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { SelectedSoftware } from '../software/find-products.ts'
import { type SoftwareOfComputer, withSoftware } from '../software/software-of-computers.ts'
import type { ComputerFilter } from './filter.ts'
import { fleetComputerRows } from './rows.ts'
import { selectedComputers } from './selected-computers.ts'
import type { ComputerSort } from './sort.ts'

/** The memory of an export is bounded by this number of computers. */
const batchSize = 1_000

type ListedComputer = Awaited<ReturnType<ReturnType<typeof fleetComputerRows>['executeTakeFirstOrThrow']>>

export type ExportedComputer = ListedComputer & { software: SoftwareOfComputer[] | null }

const columns = {
  id: ({ id }) => id,
  hostname: ({ hostname }) => hostname,
  domain: ({ domain }) => domain,
  operatingSystem: ({ operatingSystem }) => operatingSystem,
  osVersion: ({ osVersion }) => osVersion,
  loggedOnUser: ({ loggedOnUser }) => loggedOnUser,
  ipAddress: ({ ipAddress }) => ipAddress,
  serialNumber: ({ serialNumber }) => serialNumber,
  manufacturer: ({ manufacturer }) => manufacturer,
  model: ({ model }) => model,
  healthStatus: ({ healthStatus }) => healthStatus,
  agentStatus: ({ agentStatus }) => agentStatus,
  lastSeenUtc: ({ lastSeenUtc }) => lastSeenUtc,
  connection: ({ connectedNow }) => (connectedNow ? 'Connected' : 'NotConnected'),
  issues: ({ issues }) => issues.join('; '),
  groups: ({ groups }) => groups.map(({ name }) => name).join('; '),
} satisfies Columns

type Columns = Record<string, (computer: ExportedComputer) => string | number | Date | null>

/** Only of a list that is filtered by software. */
const softwareColumn: Columns = {
  software: ({ software }) =>
    (software ?? []).map(({ name, version }) => [name, version].filter(Boolean).join(' ')).join('; '),
}

const columnsOf = (software: SelectedSoftware): Columns => (software ? { ...columns, ...softwareColumn } : columns)

type Batch = { lines: string; last: unknown[] | undefined }

/**
 * The lines of all computers that meet the filter. Each batch is a statement of its own that continues after the last
 * computer of the previous one so that a slow client keeps neither a connection nor a snapshot of the database.
 */
export async function* exportComputers(
  readBatch: (after: unknown[] | undefined) => Promise<Batch>,
  software: SelectedSoftware,
): AsyncGenerator<string> {
  let batch = await readBatch(undefined)
  yield byteOrderMark + formatCsvLine(Object.keys(columnsOf(software))) + batch.lines
  while (batch.last) {
    batch = await readBatch(batch.last)
    if (batch.lines) yield batch.lines
  }
}

/** Reads the computers after a position. The batch has a last position only if more computers may follow. */
export async function readComputerLines(
  db: Database,
  { filter, sort, software }: { filter: ComputerFilter; sort: ComputerSort; software: SelectedSoftware },
  after: unknown[] | undefined,
): Promise<Batch> {
  const order = sql.raw(sort.descending ? 'desc' : 'asc')
  const isAfter = after ? sql`("sortKey", id) ${sql.raw(sort.descending ? '<' : '>')} (${sql.join(after)})` : sql`true`
  const { rows } = await sql<ListedComputer & { position: string }>`
    select listed.*, jsonb_build_array("sortKey", id)::text as position
    from (
      select "sortKey", id from (${await selectedComputers(db, filter, sort, software)}) as selected
      where ${isAfter} order by "sortKey" ${order}, id ${order} limit ${batchSize}
    ) as batch join (${fleetComputerRows(db, sort)}) as listed using ("sortKey", id)
    order by "sortKey" ${order}, id ${order}`.execute(db)
  const exported = await withSoftware(db, rows, software)
  const lines = exported.map((row) => formatCsvLine(Object.values(columnsOf(software)).map((column) => column(row))))
  const last = rows.length === batchSize ? rows.at(-1)?.position : undefined
  return { lines: lines.join(''), last: last === undefined ? undefined : (JSON.parse(last) as unknown[]) }
}
