import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { DB } from '../../../database/tables.ts'
import { closed, Instant, type Static, type TSchema, Type } from '../../../platform/schema.ts'

/** A part of the inventory, which agents send as a whole when its content has changed. */
export type Section = {
  name: string
  body: TSchema
  /** Puts the content in place of the one before. */
  store(db: Database, computerId: number, body: Report): Promise<void>
}

export type Report = { hash: string; collectedUtc: Date }

const report = {
  hash: Type.String({
    pattern: '^[\\da-f]{64}$',
    description: 'SHA-256 of the content, in the way the agent computes it',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  collectedUtc: { ...Instant, description: "By the clock of the agent's computer" },
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Section`

/** A section that is one object. */
export function recordSection<S extends TSchema>(
  name: string,
  item: S,
  store: (db: Database, computerId: number, item: Static<S>) => Promise<void>,
): Section {
  return {
    name,
    body: closed({ ...report, item }, { title: titleOf(name) }),
    store: (db, computerId, body) => store(db, computerId, (body as Report & { item: Static<S> }).item),
  }
}

/** A section that is a list of at most so many items. */
export function listSection<S extends TSchema>(
  name: string,
  item: S,
  maxItems: number,
  store: (db: Database, computerId: number, items: Static<S>[]) => Promise<void>,
): Section {
  return {
    name,
    body: closed({ ...report, items: Type.Array(item, { maxItems }) }, { title: titleOf(name) }),
    store: (db, computerId, body) => store(db, computerId, (body as Report & { items: Static<S>[] }).items),
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

const mostHardware = 1000

/** A list of hardware: one row of the table for each item, in the order of the report. A row that stays the same is kept. */
export function hardwareSection<S extends TSchema, T extends HardwareTable>(
  name: string,
  item: S,
  table: T,
  columns: (item: Static<S>) => Omit<Insertable<DB[T]>, 'computer_id' | 'position'>,
): Section {
  return listSection(name, item, mostHardware, async (db, computerId, items) => {
    // The tables have these two columns in common; the type of each is too much for the compiler.
    const rows = db as unknown as Kysely<Record<string, Record<string, unknown>>>
    const left = rows
      .deleteFrom<string>(table)
      .where('computer_id', '=', computerId)
      .where('position', '>=', items.length)
    const [first] = items
    if (!first) {
      await left.execute()
      return
    }
    const told = Object.keys(columns(first))
    const tuple = (of: string) => sql`(${sql.join(told.map((column) => sql.ref(`${of}.${column}`)))})`
    await rows
      .with('gone', () => left)
      .insertInto<string>(table)
      .values(items.map((one, position) => ({ computer_id: computerId, position, ...columns(one) })))
      .onConflict((conflict) =>
        conflict
          .columns(['computer_id', 'position'])
          .doUpdateSet(({ ref }) => Object.fromEntries(told.map((column) => [column, ref(`excluded.${column}`)])))
          .where(sql<boolean>`${tuple(table)} is distinct from ${tuple('excluded')}`),
      )
      .execute()
  })
}
