import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ComError } from '../com/hresult.ts'
import { listKeys, readValues } from '../registry.ts'
import { listSessions } from '../win32/sessions.ts'
import { connectWmi, type WmiConnection, type WmiRow } from '../wmi/wmi.ts'
import { localGroupsOf } from './local-groups.ts'
import type { WmiQuestion } from './questions.ts'
import type { WindowsAccess } from './sources.ts'

/** Access to this computer. */
export function openAccess(): WindowsAccess {
  const within = async <T>(namespace: string, use: (connection: WmiConnection) => Promise<T>): Promise<T> => {
    const connection = await connectWmi(namespace)
    try {
      return await use(connection)
    } finally {
      connection.close()
    }
  }
  return {
    rows: (question) => within(question.namespace, (connection) => rowsOf(connection, question)),
    call: ({ namespace, path, method, args, results }) =>
      within(namespace, (connection) => connection.call(path, method, args, results)),
    values: readValues,
    keys: listKeys,
    signedIn: () => listSessions().map(({ user }) => user),
    localGroups: localGroupsOf,
    region: () => {
      const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
      return { timeZone, language: locale }
    },
    tempBytes: () => folderBytes(tmpdir(), { left: maxTempFiles }),
  }
}

const invalidQuery = 0x80041017

/** A version of Windows whose class lacks one of the properties refuses to select them; then all properties are read. */
async function rowsOf(connection: WmiConnection, { from, properties, where }: WmiQuestion): Promise<WmiRow[]> {
  const condition = where ? ` WHERE ${where}` : ''
  try {
    return await connection.query(`SELECT ${properties.join(', ')} FROM ${from}${condition}`, properties)
  } catch (error) {
    if (!(error instanceof ComError) || error.code !== invalidQuery) throw error
    return connection.query(`SELECT * FROM ${from}${condition}`, properties)
  }
}

/** More files than this are not counted: the size is a hint for cleaning up, not a measurement. */
const maxTempFiles = 20_000

async function folderBytes(folder: string, files: { left: number }): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (files.left-- <= 0) break
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await folderBytes(path, files)
    else if (entry.isFile())
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
  }
  return bytes
}
