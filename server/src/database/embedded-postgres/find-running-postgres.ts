import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { type Connection, connectOnce } from './launch-server.ts'

const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED'])

/** The server that a running Muster keeps on this data directory, if there is one. */
export async function findRunningPostgres(dataDirectory: string): Promise<Connection | undefined> {
  const pidFile = join(dataDirectory, 'postgres/cluster/postmaster.pid')
  try {
    // Lines of the file: pid, cluster, start time, port, folder of the socket.
    const [, , , port = '', host = ''] = (await readFile(pidFile, 'utf8')).split('\n')
    // A server that has only begun to start has not written them all.
    if (!/^\d+$/.test(port) || host === '') return undefined
    const connection = { host, port: Number(port), user: 'muster', database: 'muster' }
    // A crashed server leaves its file behind: only an answer shows that it runs.
    const client = connectOnce(connection)
    await client.connect()
    await client.end()
    return connection
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (nothingThere.has(code)) return undefined
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `Cannot reach the database of ${dataDirectory} (${message}). Run this as the user who runs Muster.`,
    )
  }
}

/** Whether a database was ever made here: the folder may be missing, or a typing mistake. */
export async function isDatabaseRunning(dataDirectory: string): Promise<boolean> {
  return await readFile(join(dataDirectory, 'postgres/cluster/PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => !nothingThere.has(error.code ?? ''),
  )
}
