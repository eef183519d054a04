import { library } from './library.ts'
import { checkStatus } from './system-error.ts'

const msi = library('msi.dll', {
  MsiCloseHandle: ['uint32', 'uint32'],
  MsiDatabaseOpenViewW: ['uint32', 'uint32', 'str16', '_Out_ uint32 *'],
  MsiGetProductInfoW: ['uint32', 'str16', 'str16', '_Out_ void *', '_Inout_ uint32 *'],
  MsiOpenDatabaseW: ['uint32', 'str16', 'intptr', '_Out_ uint32 *'],
  MsiQueryProductStateW: ['int', 'str16'],
  MsiRecordGetStringW: ['uint32', 'uint32', 'uint32', '_Out_ void *', '_Inout_ uint32 *'],
  MsiViewExecute: ['uint32', 'uint32', 'uint32'],
  MsiViewFetch: ['uint32', 'uint32', '_Out_ uint32 *'],
})

const installed = 5
const readOnly = 0
const maxLength = 1_024

/** The version of an installed product; undefined if it is not installed. */
export function installedProductVersion(productCode: string): string | undefined {
  if (msi.MsiQueryProductStateW(productCode) !== installed) return undefined
  return readText((text, length) => msi.MsiGetProductInfoW(productCode, 'VersionString', text, length))
}

/** The properties of an MSI file, which is not changed. */
export function readMsiProperties(path: string, names: readonly string[]): Record<string, string> {
  const database = [0]
  checkStatus(`${path} is not an MSI file`, msi.MsiOpenDatabaseW(path, readOnly, database))
  try {
    return Object.fromEntries(names.map((name) => [name, readProperty(database[0] ?? 0, name)]))
  } finally {
    msi.MsiCloseHandle(database[0])
  }
}

function readProperty(database: number, name: string): string {
  const [view, record] = [[0], [0]]
  const query = `SELECT \`Value\` FROM \`Property\` WHERE \`Property\` = '${name}'`
  checkStatus('The properties could not be queried', msi.MsiDatabaseOpenViewW(database, query, view))
  try {
    checkStatus('The properties could not be queried', msi.MsiViewExecute(view[0], 0))
    checkStatus(`The MSI file has no property ${name}`, msi.MsiViewFetch(view[0], record))
    return readText((text, length) => msi.MsiRecordGetStringW(record[0], 1, text, length))
  } finally {
    msi.MsiCloseHandle(record[0])
    msi.MsiCloseHandle(view[0])
  }
}

function readText(read: (text: Buffer, length: number[]) => number): string {
  const text = Buffer.alloc(maxLength * 2)
  const length = [maxLength]
  checkStatus('A text of the installer could not be read', read(text, length))
  return text.toString('utf16le', 0, (length[0] ?? 0) * 2)
}
