import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { appliedMigrations } from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import { listForeignKeys, listSequences, listTables, quoted } from './catalog.ts'
import { checkOut } from './check-out.ts'
import { copyOut, neutralSettings } from './copy-statement.ts'
import { displayName } from './display-name.ts'
import { type Counts, formatName, formatVersion, type Header } from './format.ts'
import { writeNewFile } from './new-file.ts'
import { orderByReferences } from './order-by-references.ts'
import type { Progress } from './progress.ts'
import { sealed } from './seal.ts'
import { dataFrame, headerFrame, tableFrame, trailerFrame } from './write-frames.ts'

export type BackupOptions = { pool: pg.Pool; path: string; progress: Progress; signal: AbortSignal }

// Level 1 keeps pace with the database on one core; the checksum lets "zstd --test" judge the file as well.
const compression = {
  chunkSize: 128 * 1024,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Writes all data of the database, as it is at one moment, into a file. */
export async function createBackup({ pool, path, progress, signal }: BackupOptions): Promise<Counts> {
  const client = await checkOut(pool)
  try {
    const header = await beginSnapshot(client)
    const counts: Counts[] = []
    await writeNewFile(path, async (file) => {
      const frames = writeTables(client, header, counts, progress)
      await pipeline(frames, createZstdCompress(compression), (packed) => file.writeFile(sealed(packed)), { signal })
    })
    return {
      rows: counts.reduce((sum, { rows }) => sum + rows, 0),
      bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  } finally {
    // The session may be in the middle of a COPY, and its transaction has nothing to commit.
    client.release(true)
  }
}

async function beginSnapshot(client: pg.PoolClient): Promise<Header> {
  const before = await listTables(client)
  if (!before.some(({ schema, name }) => schema === 'public' && name === 'migrations'))
    throw new BackupError('The database holds no installation of Muster: there is nothing to back up.')
  await client.query('begin isolation level repeatable read read only')
  await client.query(neutralSettings)
  // Before the snapshot, which the first query takes: a restore that empties the tables waits, or was before us.
  await client.query(`lock table ${before.map(quoted).join(', ')} in access share mode`)
  const tables = orderByReferences(await listTables(client), await listForeignKeys(client))
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return {
    format: formatName,
    version: formatVersion,
    createdAt: new Date().toISOString(),
    musterVersion: await musterVersion(),
    postgresVersion: rows[0]?.version ?? '',
    migrations: await appliedMigrations(client),
    tables,
    // Sequences know no snapshot. Read after it was taken they are never behind the rows.
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
  for (const [place, table] of header.tables.entries()) {
    progress.step(displayName(table))
    yield tableFrame(place)
    let bytes = 0
    const copy = client.query(copyTo(copyOut(table)))
    for await (const piece of copy as AsyncIterable<Buffer>) {
      bytes += piece.length
      progress.bytes(piece.length)
      yield dataFrame(piece)
    }
    // The number of rows comes after the last row: the answer to the next query shows that it is here.
    await client.query('select 1')
    counts.push({ rows: copy.rowCount, bytes })
    progress.done(copy.rowCount)
  }
  yield trailerFrame(counts)
}

async function musterVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  return String(version)
}
