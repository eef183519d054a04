import { hostileValue, rawNumbers } from './hostile.ts'
import type { Random } from './random.ts'

type Container = Record<string, unknown> | unknown[]

/** Changes one place of the value: replaces, removes, repeats or adds something there. */
export function mutateValue(random: Random, root: unknown): unknown {
  if (!isContainer(root) || random.chance(0.03)) return hostileValue(random)
  const place = choosePlace(random, root)
  const action = random.next()
  if (action < 0.65) replace(random, place)
  else if (action < 0.75) remove(random, place)
  else if (action < 0.85) repeatItems(random, place)
  else addUnknown(random, place)
  return root
}

/** Objects and arrays are equally likely at every depth. */
function choosePlace(random: Random, root: Container): Container {
  let place = root
  while (random.chance(0.6)) {
    const inner = random.find(Object.values(place).filter(isContainer))
    if (!inner) break
    place = inner
  }
  return place
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function replace(random: Random, place: Container): void {
  const key = random.find(Object.keys(place))
  if (key !== undefined) (place as Record<string, unknown>)[key] = hostileValue(random)
  else if (Array.isArray(place)) place.push(hostileValue(random))
}

function remove(random: Random, place: Container): void {
  const key = random.find(Object.keys(place))
  if (key === undefined) return
  if (Array.isArray(place)) place.splice(Number(key), 1)
  else delete place[key]
}

/** Names something twice, even in an array inside the place. */
function repeatItems(random: Random, place: Container): void {
  const arrays = [place, ...Object.values(place)].filter((value): value is unknown[] => Array.isArray(value))
  const array = random.find(arrays.filter(({ length }) => length > 0))
  const times = random.chance(0.05) ? 300 : 1
  for (let time = 0; array && time < times; time++) array.push(structuredClone(random.find(array)))
}

function addUnknown(random: Random, place: Container): void {
  const names = ['unknown', '__proto__', 'constructor', 'id', '', 'toString', '\u0000', 'a.b', 'x'.repeat(300)] as const
  const name = random.pick(names)
  if (Array.isArray(place)) place.push(hostileValue(random))
  else
    Object.defineProperty(place, name, {
      value: hostileValue(random),
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

/** Damages the text itself: bytes that no serialiser would write. */
export function mutateText(random: Random, text: string): Buffer {
  const at = random.integer(text.length + 1)
  const bytes = Buffer.from(text)
  switch (random.integer(8)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes.subarray(0, at), random.pick(invalidUtf8), bytes.subarray(at)])
    case 2:
      return Buffer.from(text.replace('{', `{${text.slice(1, -1)},`))
    case 3:
      return Buffer.from(text.replace('{', '{"__proto__":{"isAdmin":true},'))
    case 4:
      return Buffer.from(text.replace(/:(\d+|"[^"]*"|null)/, `:${random.pick(rawNumbers)}`))
    case 5:
      return Buffer.from(random.pick(['\ufeff', ' \n\t', 'null', '[', '//', '\0']) + text)
    case 6:
      return Buffer.from(text, 'utf16le')
    default:
      bytes[Math.min(at, Math.max(0, bytes.length - 1))] = random.integer(256)
      return bytes
  }
}

const invalidUtf8: [Buffer, ...Buffer[]] = [
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.from([0xe2, 0x82]),
]
