import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { databaseRole } from './authentication-rules.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { createClient, type SocketConnection } from './launch-server.ts'
import { requireNoFolder } from './unusable-paths.ts'

const absentCodes = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED'])

/** Finds the server that a running Muster has started in this data directory. */
export async function findRunningPostgres(dataDirectory: string): Promise<SocketConnection | undefined> {
  const pidFile = join(dataDirectory, 'postgres/cluster/postmaster.pid')
  await requireNoFolder(pidFile)
  try {
    // Lines of the file: pid, cluster, start time, port, folder of the socket.
    const [, , , port = '', host = ''] = (await readFile(pidFile, 'utf8')).split('\n')
    // A server that is still starting has not written all of them, and the file may have been damaged.
    if (!/^\d{1,5}$/.test(port) || !isAbsolute(host)) return undefined
    const connection = { host, port: Number(port), user: databaseRole, database: 'muster' }
    // A crashed server leaves its file behind, so only a connection proves that it runs.
    const client = createClient(connection)
    await client.connect()
    await client.end()
    return connection
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (absentCodes.has(code)) return undefined
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `Cannot reach the database of ${dataDirectory} (${message}). Run this command as the user who runs Muster.`,
    )
  }
}

/** Whether the data directory contains a database, running or not. False for a folder that does not exist. */
export async function hasEmbeddedDatabase(dataDirectory: string): Promise<boolean> {
  return await readFile(join(dataDirectory, 'postgres/cluster/PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => !absentCodes.has(error.code ?? ''),
  )
}
