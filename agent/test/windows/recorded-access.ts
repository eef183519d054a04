import { ComError } from '../../src/platform/windows/com/hresult.ts'
import type { RegistryValues, WindowsAccess, WmiCall } from '../../src/platform/windows/inventory/sources.ts'
import type { WmiRow } from '../../src/platform/windows/wmi/wmi.ts'

export type RecordedWindows = {
  /** The rows of each class of WMI; other classes do not exist. */
  rows: Record<string, WmiRow[]>
  /** The values of keys such as `64 HKLM\SOFTWARE\…`; the keys above them exist as well. */
  registry?: Record<string, RegistryValues>
  /** The answers of methods by their name and first argument. */
  calls?: Record<string, WmiRow>
  groups?: Record<string, string[]>
  sessions?: string[]
}

/** Sources that answer what was recorded, and fail where nothing was. */
export function recordedAccess({
  rows,
  registry = {},
  calls = {},
  groups = {},
  sessions = [],
}: RecordedWindows): WindowsAccess {
  return {
    rows: async ({ namespace, from, properties }) => {
      const found = rows[from]
      if (!found) throw new ComError(`Connecting to ${namespace}`, 0x8004100e)
      return found.map((row) => Object.fromEntries(properties.map((name) => [name, row[name] ?? null])))
    },
    call: async ({ method, args }: WmiCall) => calls[`${method} ${Object.values(args)[0]}`] ?? {},
    values: (hive, key, view) => {
      const path = `${view} ${hive}\\${key}`
      return registry[path] ?? (childrenOf(registry, path).length > 0 ? {} : undefined)
    },
    keys: (hive, key, view) => {
      const path = key === '' ? `${view} ${hive}` : `${view} ${hive}\\${key}`
      const children = childrenOf(registry, path)
      return children.length > 0 || registry[path] ? children : undefined
    },
    signedIn: () => sessions,
    localGroups: (user) => {
      const found = groups[user]
      if (!found) throw new Error(`The groups of ${user}: the user name could not be found (error 2221)`)
      return found
    },
    region: () => ({ timeZone: 'Europe/Berlin', language: 'de-DE' }),
    tempBytes: async () => 350 * 1024 ** 2,
  }
}

function childrenOf(registry: Record<string, RegistryValues>, path: string): string[] {
  const below = Object.keys(registry).filter((key) => key.startsWith(`${path}\\`))
  return [...new Set(below.map((key) => key.slice(path.length + 1).split('\\')[0] ?? ''))]
}
