import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { serviceVersion } from '../../installation/version.ts'
import { listAppliedMigrations } from '../migrations/migrate.ts'
import { BackupError } from './backup-error.ts'
import { listForeignKeys, listSequences, listTables, quoteName } from './catalog.ts'
import { checkOutClient } from './check-out-client.ts'
import { copyOutStatement, neutralSettings } from './copy-statement.ts'
import { displayName } from './display-name.ts'
import { type BackupSecret, encryptBackup } from './encryption.ts'
import { type Counts, formatName, formatVersion, type Header } from './format.ts'
import { orderByReferences } from './order-by-references.ts'
import type { Progress } from './progress.ts'
import { appendSeal } from './seal.ts'
import { writeFileAtomically } from './write-file-atomically.ts'
import { dataFrame, headerFrame, tableFrame, trailerFrame } from './write-frames.ts'

export type BackupOptions = {
  pool: pg.Pool
  path: string
  /** Without it, the file is not encrypted. */
  secret?: BackupSecret | undefined
  progress: Progress
  signal: AbortSignal
}

// Level 1 is as fast as the database on one core. The checksum lets "zstd --test" verify the file.
const compression = {
  chunkSize: 128 * 1024,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Writes a consistent snapshot of all data of the database to a file. */
export async function createBackup({ pool, path, secret, progress, signal }: BackupOptions): Promise<Counts> {
  const client = await checkOutClient(pool)
  try {
    const header = await beginSnapshot(client)
    const counts: Counts[] = []
    await writeFileAtomically(path, async (file) => {
      const frames = writeTables(client, header, counts, progress)
      const write = (compressed: AsyncIterable<Buffer>) => file.writeFile(encryptBackup(appendSeal(compressed), secret))
      await pipeline(frames, createZstdCompress(compression), write, { signal })
    })
    return {
      rows: counts.reduce((sum, { rows }) => sum + rows, 0),
      bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  } finally {
    // Closes the session, which may be in the middle of a COPY. Its transaction has nothing to commit.
    client.release(true)
  }
}

async function beginSnapshot(client: pg.PoolClient): Promise<Header> {
  const before = await listTables(client)
  if (!before.some(({ schema, name }) => schema === 'public' && name === 'migrations'))
    throw new BackupError('The database contains no Muster installation, so there is nothing to back up.')
  await client.query('begin isolation level repeatable read read only')
  await client.query(neutralSettings)
  // The next query takes the snapshot. The locks come first so that a concurrent restore either waits or is visible.
  await client.query(`lock table ${before.map(quoteName).join(', ')} in access share mode`)
  const tables = orderByReferences(await listTables(client), await listForeignKeys(client))
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return {
    format: formatName,
    version: formatVersion,
    createdAt: new Date().toISOString(),
    musterVersion: serviceVersion,
    postgresVersion: rows[0]?.version ?? '',
    migrations: await listAppliedMigrations(client),
    tables,
    // Sequences are not part of the snapshot. Read after it, they are never behind the rows.
    sequences: await listSequences(client),
  }
}

async function* writeTables(
  client: pg.PoolClient,
  header: Header,
  counts: Counts[],
  progress: Progress,
): AsyncGenerator<Buffer, void, undefined> {
  yield headerFrame(header)
  for (const [index, table] of header.tables.entries()) {
    progress.step(displayName(table))
    yield tableFrame(index)
    let bytes = 0
    const copy = client.query(copyTo(copyOutStatement(table)))
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      bytes += chunk.length
      progress.bytes(chunk.length)
      yield dataFrame(chunk)
    }
    // The row count arrives after the last row. When another query is answered, it has arrived.
    await client.query('select 1')
    counts.push({ rows: copy.rowCount, bytes })
    progress.done(copy.rowCount)
  }
  yield trailerFrame(counts)
}
