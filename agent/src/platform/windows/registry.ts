import koffi from './koffi.ts'

export type Hive = 'HKLM' | 'HKU' | 'HKCU'

/** 64-bit Windows keeps two registries for software: 32-bit programs see the second. It is always stated which is read. */
export type View = 32 | 64

export type RegistryValue = string | number | bigint | string[] | Buffer

const hives: Record<Hive, bigint> = {
  HKCU: 0xffffffff80000001n,
  HKLM: 0xffffffff80000002n,
  HKU: 0xffffffff80000003n,
}

const codes = { success: 0, fileNotFound: 2, accessDenied: 5, pathNotFound: 3, noMoreItems: 259 } as const
const access = { query: 0x1, enumerate: 0x8, 64: 0x100, 32: 0x200 } as const
const types = { text: 1, expandable: 2, binary: 3, number: 4, bigEndian: 5, texts: 7, longNumber: 11 } as const
const maxNameLength = 16_384

function loadAdvapi() {
  const advapi32 = koffi.load('advapi32.dll')
  return {
    open: advapi32.func('RegOpenKeyExW', 'int32', ['uintptr', 'str16', 'uint32', 'uint32', 'void *']),
    close: advapi32.func('RegCloseKey', 'int32', ['uintptr']),
    query: advapi32.func('RegQueryValueExW', 'int32', ['uintptr', 'str16', 'void *', 'void *', 'void *', 'void *']),
    enumerateKeys: advapi32.func('RegEnumKeyExW', 'int32', [
      ...['uintptr', 'uint32', 'void *', 'void *', 'void *', 'void *', 'void *', 'void *'],
    ]),
    enumerateValues: advapi32.func('RegEnumValueW', 'int32', [
      ...['uintptr', 'uint32', 'void *', 'void *', 'void *', 'void *', 'void *', 'void *'],
    ]),
  }
}

let loaded: ReturnType<typeof loadAdvapi> | undefined

function advapi() {
  loaded ??= loadAdvapi()
  return loaded
}

/** One value; undefined if the key or the value is absent. The name '' is the default value. */
export function readValue(hive: Hive, key: string, value: string, view: View): RegistryValue | undefined {
  return withKey(hive, key, view, (handle) => valueOf(handle, value))
}

/** All values of a key by name; undefined if the key is absent. */
export function readValues(hive: Hive, key: string, view: View): Record<string, RegistryValue> | undefined {
  return withKey(hive, key, view, (handle) => {
    const names = listNames((index, name, length) =>
      advapi().enumerateValues(handle, index, name, length, null, null, null, null),
    )
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = valueOf(handle, name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  })
}

/** The names of the keys in a key; undefined if the key is absent. */
export function listKeys(hive: Hive, key: string, view: View): string[] | undefined {
  return withKey(hive, key, view, (handle) =>
    listNames((index, name, length) =>
      advapi().enumerateKeys(handle, index, name, length, null, null, null, null),
    ),
  )
}

function withKey<T>(hive: Hive, key: string, view: View, use: (handle: bigint) => T): T | undefined {
  const out = Buffer.alloc(8)
  const code = advapi().open(hives[hive], key, 0, access.query | access.enumerate | access[view], out)
  if (code === codes.fileNotFound || code === codes.pathNotFound) return undefined
  if (code !== codes.success) throw registryError(`${hive}\\${key}`, code)
  const handle = out.readBigUInt64LE(0)
  try {
    return use(handle)
  } finally {
    advapi().close(handle)
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

function valueOf(handle: bigint, name: string): RegistryValue | undefined {
  const [type, size] = [Buffer.alloc(4), Buffer.alloc(4)]
  const first = advapi().query(handle, name, null, type, null, size)
  if (first === codes.fileNotFound) return undefined
  if (first !== codes.success) throw registryError(`the value ${name}`, first)
  // Another program may make it longer in between; then it is read the next time.
  const data = Buffer.alloc(size.readUInt32LE(0))
  const code = advapi().query(handle, name, null, type, data, size)
  if (code !== codes.success) throw registryError(`the value ${name}`, code)
  return decodeRegistryValue(type.readUInt32LE(0), data.subarray(0, size.readUInt32LE(0)))
}

export function decodeRegistryValue(type: number, data: Buffer): RegistryValue {
  if (type === types.text || type === types.expandable) return data.toString('utf16le').replace(/\0[^]*$/, '')
  if (type === types.texts) return decodeTexts(data.toString('utf16le'))
  if (type === types.number && data.length >= 4) return data.readUInt32LE(0)
  if (type === types.bigEndian && data.length >= 4) return data.readUInt32BE(0)
  if (type === types.longNumber && data.length >= 8) return data.readBigUInt64LE(0)
  return Buffer.from(data)
}

/** Texts that each end with a zero, and another zero at the end. A text may be empty. */
function decodeTexts(text: string): string[] {
  const texts = text.split('\0')
  for (let ends = 0; ends < 2 && texts.at(-1) === ''; ends++) texts.pop()
  return texts
}

function registryError(what: string, code: number): Error {
  const reason = code === codes.accessDenied ? 'access denied' : `code ${code}`
  return new Error(`The registry could not read ${what}: ${reason}`)
}
