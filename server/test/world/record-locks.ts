import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { lockOrder } from '../../src/database/lock-order.ts'

/** A row that existed before the recording, and a lock that a transaction took on it. */
export type RowLock = KnownRow & { transaction: string; table: string; isForUpdate: boolean }

type KnownRow = { rank: number; place: number; row: string; computer: number | null }

/**
 * Runs `work` and returns the locks on existing rows that its transactions took, in the order in which they took them. The
 * write-ahead log has a record of every lock, update and deletion, whether a statement, a trigger or a cascade made it.
 */
export async function recordLocks(db: Database, work: () => Promise<unknown>): Promise<RowLock[]> {
  await sql`create extension if not exists pg_walinspect`.execute(db)
  const [tables, rows] = [await listTables(db), await listRows(db)]
  const start = await flushLog(db)
  await work()
  const end = await flushLog(db)
  const seen = new Set<string>()
  const locks: RowLock[] = []
  for (const { transaction, file, block, offset, isForUpdate } of await listHeapRecords(db, start, end)) {
    const table = tables.get(file)
    const known = table && rows.get(`${table} (${block},${offset})`)
    // Rows that the transaction itself inserted are not known, and cannot be locked by others.
    if (!table || !known || seen.has(`${transaction} ${table} ${known.row}`)) continue
    seen.add(`${transaction} ${table} ${known.row}`)
    locks.push({ transaction, table, isForUpdate, ...known })
  }
  return locks
}

/** The locks that a transaction took after a lock that comes later in the lock order, as sentences. */
export function findInversions(locks: readonly RowLock[]): string[] {
  const furthest = new Map<string, RowLock>()
  const deleted = new Set<string>()
  return locks.flatMap((lock) => {
    // Everything that belongs to a computer that is locked for update is locked with it.
    const computer = `${lock.transaction} ${lock.computer}`
    if (deleted.has(computer)) return []
    if (lock.table === 'computers' && lock.isForUpdate) deleted.add(computer)
    const before = furthest.get(lock.transaction)
    const isInverted = before && (lock.rank < before.rank || (lock.rank === before.rank && lock.place < before.place))
    if (isInverted) return [`${lock.table} ${lock.row} is locked after ${before.table} ${before.row}`]
    furthest.set(lock.transaction, lock)
    return []
  })
}

/** Writes the log to disk, where it can be read, and returns its end. */
async function flushLog(db: Database): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local synchronous_commit = on`.execute(transaction)
    await sql`select pg_logical_emit_message(true, 'lock recorder', '')`.execute(transaction)
    const { rows } = await sql<{ end: string }>`select pg_current_wal_insert_lsn()::text as end`.execute(transaction)
    return rows[0]?.end ?? ''
  })
}

/** The tables of the database by the names of their files. */
async function listTables(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ file: string; name: string }>`
    select pg_relation_filenode(oid)::text as file, relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db)
  return new Map(rows.map(({ file, name }) => [file, name]))
}

/** The rows of all tables in the lock order, by their positions in the files. */
async function listRows(db: Database): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>()
  for (const [rank, { table, rows: columns, where, computer = 'null' }] of lockOrder.entries()) {
    const order = sql.raw(columns.join(', '))
    const { rows } = await sql<{ position: string; place: number; row: string; computer: number | null }>`
      select ctid::text as position, row_number() over (order by ${order})::integer as place,
        concat_ws('/', ${order}) as row, ${sql.raw(computer)}::integer as computer
      from ${sql.table(table)} where ${where ? sql.raw(where) : sql`true`}`.execute(db)
    for (const { position, ...row } of rows) known.set(`${table} ${position}`, { rank, ...row })
  }
  return known
}

type HeapRecord = { transaction: string; file: string; block: string; offset: string; isForUpdate: boolean }

/** What transactions of this database did to existing rows, in the order of the log. */
async function listHeapRecords(db: Database, start: string, end: string): Promise<HeapRecord[]> {
  const { rows } = await sql<{ xid: string; description: string; blocks: string; database: string }>`
    select xid::text, description, block_ref as blocks,
      (select oid::text from pg_database where datname = current_database()) as database
    from pg_get_wal_records_info(${start}::pg_lsn, ${end}::pg_lsn)
    where resource_manager = 'Heap' and record_type in ('LOCK', 'UPDATE', 'HOT_UPDATE', 'DELETE')
    order by start_lsn`.execute(db)
  return rows.flatMap(({ xid, description, blocks, database }) => {
    const [, offset] = /off:? (\d+)/.exec(description) ?? []
    // The last block is the one of the row that is locked or replaced; the first may be that of its new version.
    const [, owner, file, block] = [...blocks.matchAll(/rel \d+\/(\d+)\/(\d+)(?: fork \w+)? blk (\d+)/g)].at(-1) ?? []
    if (offset === undefined || file === undefined || block === undefined || owner !== database) return []
    return [{ transaction: xid, file, block, offset, isForUpdate: description.includes('KEYS_UPDATED') }]
  })
}
