import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listKeys, readValues } from '../registry.ts'
import { connectWmi, type WmiConnection } from '../wmi/wmi.ts'
import { localGroupsOf } from './local-groups.ts'
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
    rows: ({ namespace, from, properties, where }) =>
      within(namespace, (connection) => {
        const condition = where ? ` WHERE ${where}` : ''
        return connection.query(`SELECT ${properties.join(', ')} FROM ${from}${condition}`, properties)
      }),
    call: ({ namespace, path, method, args, results }) =>
      within(namespace, (connection) => connection.call(path, method, args, results)),
    values: readValues,
    keys: listKeys,
    localGroups: localGroupsOf,
    region: () => {
      const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
      return { timeZone, language: locale }
    },
    tempBytes: () => folderBytes(tmpdir(), { left: maxTempFiles }),
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
