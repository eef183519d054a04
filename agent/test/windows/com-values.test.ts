import { expect, test } from 'vitest'
import { ComError, checkResult } from '../../src/platform/windows/com/hresult.ts'
import { decodeVariant, encodeVariant, InterfacePointer, type Memory } from '../../src/platform/windows/com/variant.ts'
import { rebootSourceOf } from '../../src/platform/windows/reboot-source.ts'
import { decodeRegistryValue } from '../../src/platform/windows/registry-value.ts'

/** Memory in which texts and bytes are at chosen addresses. */
const memoryOf = (content: Record<string, Buffer | string>): Memory => ({
  bytes: (address, length) => (content[String(address)] as Buffer).subarray(0, length),
  text: (address) => content[String(address)] as string,
})

function variant(type: number, write: (value: Buffer) => void = () => {}): Buffer {
  const buffer = Buffer.alloc(24)
  buffer.writeUInt16LE(type)
  write(buffer.subarray(8))
  return buffer
}

test.each([
  ['nothing', variant(1), null],
  ['a signed number', variant(3, (value) => value.writeInt32LE(-5)), -5],
  ['a long number', variant(21, (value) => value.writeBigUInt64LE(2n ** 63n)), 2n ** 63n],
  ['true', variant(11, (value) => value.writeInt16LE(-1)), true],
  ['a date', variant(7, (value) => value.writeDoubleLE(46095.39366898148)), new Date('2026-03-14T09:26:53.000Z')],
  ['a text', variant(8, (value) => value.writeBigUInt64LE(16n)), 'Straße'],
  ['an empty text', variant(8), ''],
  ['no object', variant(9), null],
])('%s is read from a VARIANT', (_, buffer, value) => {
  expect(decodeVariant(buffer, memoryOf({ 16: 'Straße' }))).toEqual(value)
})

test('a DECIMAL fills the whole VARIANT', () => {
  const buffer = variant(14, (value) => value.writeBigUInt64LE(123_456_789_012n))

  expect(decodeVariant(buffer, memoryOf({}))).toBe(123_456_789_012)
  buffer.writeUInt8(2, 2)
  buffer.writeUInt8(0x80, 3)
  expect(decodeVariant(buffer, memoryOf({}))).toBe(-1_234_567_890.12)
})

test('an array of texts is read, and one without elements is empty', () => {
  const header = Buffer.alloc(32)
  header.writeUInt16LE(1, 0)
  header.writeUInt32LE(8, 4)
  header.writeBigUInt64LE(200n, 16)
  header.writeUInt32LE(2, 24)
  const data = Buffer.alloc(16)
  data.writeBigUInt64LE(300n, 0)
  data.writeBigUInt64LE(400n, 8)
  const memory = memoryOf({ 100: header, 200: data, 300: '192.0.2.17', 400: 'fe80::1' })
  const array = variant(0x2008, (value) => value.writeBigUInt64LE(100n))

  expect(decodeVariant(array, memory)).toEqual(['192.0.2.17', 'fe80::1'])
  expect(decodeVariant(variant(0x2008), memory)).toEqual([])
})

test('a type that is not known is an error and not a wrong value', () => {
  expect(() => decodeVariant(variant(36), memoryOf({}))).toThrow('A VARIANT of type 36 cannot be read.')
})

test.each([5, true, false, -1])('the argument %s is read back as it was written', (value) => {
  expect(
    decodeVariant(
      encodeVariant(value, () => 0n),
      memoryOf({}),
    ),
  ).toBe(value)
})

test('texts and objects are written as addresses', () => {
  const text = encodeVariant('hello', () => 16n)

  expect(decodeVariant(text, memoryOf({ 16: 'hello' }))).toBe('hello')
  expect(
    decodeVariant(
      encodeVariant(new InterfacePointer(32n), () => 0n),
      memoryOf({}),
    ),
  ).toEqual(new InterfacePointer(32n))
})

test('an error names the call, the code and its meaning', () => {
  expect(() => checkResult('Connecting', 0x8004100e | 0)).toThrow(
    'Connecting failed: 0x8004100e (the namespace does not exist on this system)',
  )
  expect(new ComError('Search', -2145107924 + 0).message).toMatch(/^Search failed: 0x[\da-f]{8}/)
  expect(checkResult('Next', 1)).toBe(1)
  // A namespace, a class, an object and a component.
  for (const code of [0x8004100e, 0x80041010, 0x80041002, 0x80040154 | 0])
    expect(new ComError('Creating', code).isAbsence, String(code)).toBe(true)
  expect(new ComError('Creating', 0x80070005).isAbsence).toBe(false)
})

test('values of the registry are read by their type', () => {
  const text = (value: string) => Buffer.from(value, 'utf16le')

  expect(decodeRegistryValue(1, text('Muster\0'))).toBe('Muster')
  expect(decodeRegistryValue(1, text('no end'))).toBe('no end')
  expect(decodeRegistryValue(4, Buffer.from([1, 0, 0, 0]))).toBe(1)
  expect(decodeRegistryValue(11, Buffer.from([0, 0, 0, 0, 2, 0, 0, 0]))).toBe(8_589_934_592n)
  expect(decodeRegistryValue(7, text('a\0\0b\0c\0\0'))).toEqual(['a', '', 'b', 'c'])
  expect(decodeRegistryValue(7, text('\0'))).toEqual([])
  expect(decodeRegistryValue(3, Buffer.from([7]))).toEqual(Buffer.from([7]))
  expect(decodeRegistryValue(4, Buffer.alloc(0))).toEqual(Buffer.alloc(0))
})

const servicing = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Component Based Servicing\\RebootPending'
const updates = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\WindowsUpdate\\Auto Update\\RebootRequired'

test.each([
  ['nothing is pending', [], {}, null],
  ['components are to be installed', [servicing, updates], {}, 'Component Based Servicing'],
  ['updates are installed', [updates], {}, 'Windows Update'],
  ['files are in use', [], { PendingFileRenameOperations: ['\\??\\C:\\old', ''] }, 'Files to be replaced'],
  ['no file is left', [], { PendingFileRenameOperations: [] }, null],
])('a restart is required by what Windows notes: %s', (_, keys: string[], values: Record<string, string[]>, source) => {
  const facts = { hasKey: (key: string) => keys.includes(key), value: (_: string, name: string) => values[name] }

  expect(rebootSourceOf(facts)).toBe(source)
})

test('a new name of the computer requires a restart', () => {
  const value = (key: string) => (key.endsWith('ActiveComputerName') ? 'PC-1' : 'PC-2')

  expect(
    rebootSourceOf({ hasKey: () => false, value: (key, name) => (name === 'ComputerName' ? value(key) : undefined) }),
  ).toBe('Computer name')
})
