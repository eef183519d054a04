import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { DB } from '../../../database/tables.ts'
import { closed, Instant, type Static, sha256, type TSchema, Type } from '../../../platform/schema.ts'

/** A part of the inventory. Agents send a section as a whole, and only when its content has changed. */
export type InventorySection = {
  name: string
  body: TSchema
  /** Replaces the stored content of the section. */
  store(db: Database, computerId: number, body: SectionReport): Promise<void>
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
  store: (db: Database, computerId: number, item: Static<S>) => Promise<void>,
): InventorySection {
  return {
    name,
    body: closed({ ...reportProperties, item }, { title: titleOf(name) }),
    store: (db, computerId, body) => store(db, computerId, (body as SectionReport & { item: Static<S> }).item),
  }
}

/** A section that consists of a list. */
export function listSection<S extends TSchema>(
  name: string,
  item: S,
  maxItems: number,
  store: (db: Database, computerId: number, items: Static<S>[]) => Promise<void>,
): InventorySection {
  const items = Type.Array(item, { maxItems, description: 'The complete list; it replaces the stored one' })
  return {
    name,
    body: closed({ ...reportProperties, items }, { title: titleOf(name) }),
    store: (db, computerId, body) => store(db, computerId, (body as SectionReport & { items: Static<S>[] }).items),
  }
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
  return listSection(name, item, maxHardwareItems, async (db, computerId, items) => {
    // All these tables have computer_id and position. A union of their types is too complex for the compiler.
    const rows = db as unknown as Kysely<Record<string, Record<string, unknown>>>
    const deletion = rows
      .deleteFrom<string>(table)
      .where('computer_id', '=', computerId)
      .where('position', '>=', items.length)
    const [first] = items
    if (!first) {
      await deletion.execute()
      return
    }
    const names = Object.keys(columns(first))
    const tuple = (source: string): RawBuilder<unknown[]> =>
      sql`(${sql.join(names.map((column) => sql.ref(`${source}.${column}`)))})`
    await rows
      .with('gone', () => deletion)
      .insertInto<string>(table)
      .values(items.map((one, position) => ({ computer_id: computerId, position, ...columns(one) })))
      .onConflict((conflict) =>
        conflict
          .columns(['computer_id', 'position'])
          .doUpdateSet(({ ref }) => Object.fromEntries(names.map((column) => [column, ref(`excluded.${column}`)])))
          .where(sql<boolean>`${tuple(table)} is distinct from ${tuple('excluded')}`),
      )
      .execute()
  })
}
