import { decodeRegistryValue, type RegistryValue } from './registry-value.ts'
import { library } from './win32/library.ts'

export type { RegistryValue }

export type Hive = 'HKLM' | 'HKU' | 'HKCU'

/** 64-bit Windows keeps two registries for software: 32-bit programs see the second. It is always stated which is read. */
export type View = 32 | 64

const hives: Record<Hive, bigint> = {
  HKCU: 0xffffffff80000001n,
  HKLM: 0xffffffff80000002n,
  HKU: 0xffffffff80000003n,
}

const codes = { success: 0, fileNotFound: 2, accessDenied: 5, pathNotFound: 3, noMoreItems: 259 } as const
const access = { query: 0x1, enumerate: 0x8, 64: 0x100, 32: 0x200 } as const
const maxNameLength = 16_384

const advapi32 = library('advapi32.dll', {
  RegOpenKeyExW: ['int32', 'uintptr', 'str16', 'uint32', 'uint32', 'void *'],
  RegCloseKey: ['int32', 'uintptr'],
  RegQueryValueExW: ['int32', 'uintptr', 'str16', 'void *', 'void *', 'void *', 'void *'],
  RegEnumKeyExW: ['int32', 'uintptr', 'uint32', 'void *', 'void *', 'void *', 'void *', 'void *', 'void *'],
  RegEnumValueW: ['int32', 'uintptr', 'uint32', 'void *', 'void *', 'void *', 'void *', 'void *', 'void *'],
})

/** One value; undefined if the key or the value is absent. The name '' is the default value. */
export function readValue(hive: Hive, key: string, value: string, view: View): RegistryValue | undefined {
  return withKey(hive, key, view, (handle) => queryValue(handle, value))
}

/** All values of a key by name; undefined if the key is absent. */
export function readValues(hive: Hive, key: string, view: View): Record<string, RegistryValue> | undefined {
  return withKey(hive, key, view, (handle) => {
    const names = listNames((index, name, length) =>
      advapi32.RegEnumValueW(handle, index, name, length, null, null, null, null),
    )
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = queryValue(handle, name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  })
}

/** The names of the keys in a key; undefined if the key is absent. */
export function listKeys(hive: Hive, key: string, view: View): string[] | undefined {
  return withKey(hive, key, view, (handle) =>
    listNames((index, name, length) => advapi32.RegEnumKeyExW(handle, index, name, length, null, null, null, null)),
  )
}

function withKey<T>(hive: Hive, key: string, view: View, use: (handle: bigint) => T): T | undefined {
  const out = Buffer.alloc(8)
  const code = advapi32.RegOpenKeyExW(hives[hive], key, 0, access.query | access.enumerate | access[view], out)
  if (code === codes.fileNotFound || code === codes.pathNotFound) return undefined
  if (code !== codes.success) throw registryError(`${hive}\\${key}`, code)
  const handle = out.readBigUInt64LE(0)
  try {
    return use(handle)
  } finally {
    advapi32.RegCloseKey(handle)
  }
}

function listNames(next: (index: number, name: Buffer, length: Buffer) => number): string[] {
  const names: string[] = []
  const name = Buffer.alloc(2 * maxNameLength)
  const length = Buffer.alloc(4)
  for (let index = 0; ; index++) {
    length.writeUInt32LE(maxNameLength)
    const code = next(index, name, length)
    if (code === codes.noMoreItems) return names
    if (code !== codes.success) throw registryError('a list of names', code)
    names.push(name.toString('utf16le', 0, 2 * length.readUInt32LE(0)))
  }
}

function queryValue(handle: bigint, name: string): RegistryValue | undefined {
  const [type, size] = [Buffer.alloc(4), Buffer.alloc(4)]
  const first = advapi32.RegQueryValueExW(handle, name, null, type, null, size)
  if (first === codes.fileNotFound) return undefined
  if (first !== codes.success) throw registryError(`the value ${name}`, first)
  // Another program may make it longer in between; then it is read the next time.
  const data = Buffer.alloc(size.readUInt32LE(0))
  const code = advapi32.RegQueryValueExW(handle, name, null, type, data, size)
  if (code !== codes.success) throw registryError(`the value ${name}`, code)
  return decodeRegistryValue(type.readUInt32LE(0), data.subarray(0, size.readUInt32LE(0)))
}

function registryError(what: string, code: number): Error {
  const reason = code === codes.accessDenied ? 'access denied' : `code ${code}`
  return new Error(`The registry could not read ${what}: ${reason}`)
}
