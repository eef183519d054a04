import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import {
  generationOf,
  sealedValuePrefix,
  sealWithGeneration,
  unsealWithGeneration,
  type ValueKeys,
} from '../../platform/keys/sealed-values.ts'

/** Every table with a column `sealed_value`, and the two columns of its key. */
export const sealedTables = [
  { table: 'computer_variables', owner: 'computer_id', ownerType: 'integer', part: 'variable_id' },
  { table: 'group_variables', owner: 'group_id', ownerType: 'uuid', part: 'variable_id' },
  { table: 'variable_collection_values', owner: 'entry_id', ownerType: 'integer', part: 'variable_id' },
  { table: 'webhook_secrets', owner: 'webhook_id', ownerType: 'uuid', part: 'number' },
  { table: 'mail_server', owner: 'id', ownerType: 'integer', part: 'id' },
] as const

type SealedTable = (typeof sealedTables)[number]
type SealedRow = { owner: string; part: number; sealed_value: Buffer }

export type ResealOptions = {
  keys: ValueKeys
  /** Called after each batch with the number of values that it sealed again. */
  onBatch?: (table: string, values: number) => void
  signal?: AbortSignal
  batchSize?: number
}

/**
 * Seals all values with the newest key. Each batch is a transaction, so an interrupted run can be repeated, and requests
 * wait for a few rows at most. Returns the number of values that were sealed again.
 */
export async function resealValues(db: Database, options: ResealOptions): Promise<number> {
  let values = 0
  for (const table of sealedTables) values += await resealTable(db, table, options)
  return values
}

async function resealTable(
  db: Database,
  table: SealedTable,
  { keys, onBatch, signal, batchSize = 500 }: ResealOptions,
): Promise<number> {
  let values = 0
  for (let last: SealedRow | undefined; ; ) {
    signal?.throwIfAborted()
    const batch = await db.transaction().execute((tx) => resealBatch(tx, table, keys, last, batchSize))
    values += batch.length
    if (batch.length > 0) onBatch?.(table.table, batch.length)
    last = batch.at(-1)
    if (batch.length < batchSize) return values
  }
}

async function resealBatch(
  tx: Database,
  { table, owner, ownerType, part }: SealedTable,
  keys: ValueKeys,
  last: SealedRow | undefined,
  batchSize: number,
): Promise<SealedRow[]> {
  const newest = Math.max(...keys.keys())
  const isAfterLast = last
    ? sql<boolean>`(${sql.ref(owner)}, ${sql.ref(part)}) > (${last.owner}::${sql.raw(ownerType)}, ${last.part}::integer)`
    : sql<boolean>`true`
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(owner)} as owner, ${sql.ref(part)} as part, sealed_value from ${sql.table(table)}
    where sealed_value is not null and ${isAfterLast}
      and substring(sealed_value for 8) <> ${sealedValuePrefix(newest)}
    order by ${sql.ref(owner)}, ${sql.ref(part)} limit ${batchSize} for update`.execute(tx)
  if (rows.length === 0) return rows
  const sealed = rows.map((row) => sealWithGeneration(keys, newest, unsealWithGeneration(keys, row.sealed_value)))
  await sql`
    update ${sql.table(table)} stored set sealed_value = resealed.sealed_value
    from unnest(${rows.map((row) => row.owner)}::${sql.raw(ownerType)}[],
      ${rows.map((row) => row.part)}::integer[], ${sealed}::bytea[])
      as resealed (owner, part, sealed_value)
    where stored.${sql.ref(owner)} = resealed.owner and stored.${sql.ref(part)} = resealed.part`.execute(tx)
  return rows
}

/** The number of values that each key has sealed, by generation. */
export async function countSealedValues(db: Database): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const { table } of sealedTables) {
    const { rows } = await sql<{ prefix: Buffer | null; values: number }>`
      select case when substring(sealed_value for 4) = ${sealedValuePrefix(1).subarray(0, 4)}
        then substring(sealed_value for 8) end as prefix, count(*)::integer as values
      from ${sql.table(table)} where sealed_value is not null group by 1`.execute(db)
    for (const { prefix, values } of rows) {
      const generation = prefix ? generationOf(prefix) : 1
      counts.set(generation, (counts.get(generation) ?? 0) + values)
    }
  }
  return counts
}
