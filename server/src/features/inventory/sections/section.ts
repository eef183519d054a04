import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { DB } from '../../../database/tables.ts'
import { closed, Instant, type Static, sha256, type TSchema, Type } from '../../../platform/schema.ts'

/** A part of the inventory. Agents send a section as a whole, and only when its content has changed. */
export type InventorySection = {
  name: string
  body: TSchema
  /** Reads and adds what the changes need, and returns them. They replace the stored content of the section. */
  prepareChanges(db: Database, computerId: number, body: SectionReport): Promise<SectionChanges>
}

/**
 * What storing a section changes. All sections that arrive together are stored by one statement: `ctes` are parts of it, each
 * with a name of its own. Their text does not depend on the values, so the statement is planned once.
 */
export type SectionChanges = {
  ctes?: RawBuilder<unknown>[]
  /** New values of columns of the computer itself. */
  computer?: Record<string, RawBuilder<unknown>>
}

export type SectionReport = { hash: string; collectedUtc: Date }

const reportProperties = {
  hash: sha256(
    'SHA-256 of the content. The agent chooses how to serialise the content, but must do so the same way every time.',
  ),
  collectedUtc: { ...Instant, description: 'When the agent collected the section, by the clock of its computer' },
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Section`

/** A section that consists of one object. */
export function objectSection<S extends TSchema>(
  name: string,
  item: S,
  changesOf: (computerId: number, item: Static<S>) => SectionChanges,
): InventorySection {
  return {
    name,
    body: closed({ ...reportProperties, item }, { title: titleOf(name) }),
    prepareChanges: async (_, computerId, body) =>
      changesOf(computerId, (body as SectionReport & { item: Static<S> }).item),
  }
}

type ListOptions<S extends TSchema> = {
  name: string
  item: S
  maxItems: number
  prepareChanges(db: Database, computerId: number, items: Static<S>[]): Promise<SectionChanges>
}

/** A section that consists of a list. */
export function listSection<S extends TSchema>(options: ListOptions<S>): InventorySection {
  const { name, item, maxItems, prepareChanges } = options
  const items = Type.Array(item, { maxItems, description: 'The complete list; it replaces the stored one' })
  return {
    name,
    body: closed({ ...reportProperties, items }, { title: titleOf(name) }),
    prepareChanges: (db, computerId, body) =>
      prepareChanges(db, computerId, (body as SectionReport & { items: Static<S>[] }).items),
  }
}

type RecordTable = 'bios_records' | 'security_records' | 'system_records'

/** Stores the one row that a computer has in the table, unless it stays the same. */
export function recordChanges<T extends RecordTable>(
  table: T,
  computerId: number,
  columns: Omit<Insertable<DB[T]>, 'computer_id'>,
): RawBuilder<unknown>[] {
  const names = Object.keys(columns)
  return [
    sql`
      ${sql.ref(`stored_${table}`)} as (
        insert into ${sql.table(table)} (computer_id, ${columnsOf(names)})
        values (${computerId}, ${sql.join(Object.values(columns))})
        on conflict (computer_id) do update set ${replacement(table, names)}
      )`,
  ]
}

/** Their names are part of the code, and there are hundreds in a statement. As references, all would be compiled for each run. */
const columnsOf = (names: readonly string[], source?: string) =>
  sql.raw(names.map((name) => (source ? `${source}.${name}` : name)).join(', '))

/** The part of an upsert that replaces these columns, if one of them differs. */
function replacement(table: string, names: readonly string[]): RawBuilder<unknown> {
  const assignments = names.map((name) => `${name} = excluded.${name}`).join(', ')
  return sql`${sql.raw(assignments)}
    where row(${columnsOf(names, table)}) is distinct from row(${columnsOf(names, 'excluded')})`
}

type HardwareTable =
  | 'disk_drives'
  | 'batteries'
  | 'network_adapters'
  | 'printers'
  | 'video_controllers'
  | 'desktop_monitors'
  | 'processors'

const maxHardwareItems = 1000

/**
 * A list of hardware. Its table has one row for each item, in the order of the report. Rows that stay the same are not
 * written.
 */
export function hardwareSection<S extends TSchema, T extends HardwareTable>(
  name: string,
  item: S,
  table: T,
  columns: (item: Static<S>) => Omit<Insertable<DB[T]>, 'computer_id' | 'position'>,
): InventorySection {
  return listSection({
    name,
    item,
    maxItems: maxHardwareItems,
    async prepareChanges(_, computerId, items) {
      const rows = items.map((one, position): Record<string, unknown> => ({ position, ...columns(one) }))
      const gone = sql`
        ${sql.ref(`gone_${table}`)} as (
          delete from ${sql.table(table)} where computer_id = ${computerId} and position >= ${rows.length}
        )`
      const [first] = rows
      if (!first) return { ctes: [gone] }
      const { position: _position, ...described } = first
      const names = Object.keys(described)
      const stored = sql`
        ${sql.ref(`stored_${table}`)} as (
          insert into ${sql.table(table)} (computer_id, position, ${columnsOf(names)})
          select ${computerId}, position, ${columnsOf(names)}
          from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
          on conflict (computer_id, position) do update set ${replacement(table, names)}
        )`
      return { ctes: [gone, stored] }
    },
  })
}
