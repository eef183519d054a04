/** A value of an answer that is not what it must be. The message says where it is and what is expected. */
export class InvalidValue extends Error {
  override name = 'InvalidValue'

  constructor(at: string, expected: string) {
    super(`${at || 'it'} is not ${expected}`)
  }
}

/**
 * Returns what the agent uses of a value, which comes from the server and can be anything. Throws InvalidValue for everything else.
 * `at` is where the value is in the answer.
 */
export type Reader<T> = (value: unknown, at: string) => T

/** A text. One that is not well-formed could not be written to files and addresses. */
export const text =
  (maxLength: number, pattern = /(?:)/, expected = `a text of at most ${maxLength} characters`): Reader<string> =>
  (value, at) => {
    if (typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && pattern.test(value))
      return value
    throw new InvalidValue(at, expected)
  }

/** A text of a set that later servers may extend: what uses it refuses what it does not know. */
export const oneOf = <T extends string>(): Reader<T> => text(50) as Reader<T>

export const flag: Reader<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value
  throw new InvalidValue(at, 'true or false')
}

export const numberIn =
  (min: number, max: number): Reader<number> =>
  (value, at) => {
    if (typeof value === 'number' && value >= min && value <= max) return value
    throw new InvalidValue(at, `a number from ${min} to ${max}`)
  }

export const integerIn =
  (min: number, max: number): Reader<number> =>
  (value, at) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
    throw new InvalidValue(at, `an integer from ${min} to ${max}`)
  }

/** A finite number, clamped to a range: the server may ask for more or less than the agent does. */
export const clamped =
  (min: number, max: number): Reader<number> =>
  (value, at) => {
    if (Number.isFinite(value)) return Math.min(max, Math.max(min, value as number))
    throw new InvalidValue(at, 'a number')
  }

export const instant: Reader<string> = (value, at) => {
  if (typeof value === 'string' && value.length <= 50 && Number.isFinite(Date.parse(value))) return value
  throw new InvalidValue(at, 'a time')
}

export const orNull =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value, at) =>
    value === null ? null : read(value, at)

export const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : read(value, at)

/** For what earlier servers do not send. */
export const withDefault =
  <T>(read: Reader<T>, fallback: T): Reader<T> =>
  (value, at) =>
    value === undefined ? fallback : read(value, at)

export const listOf =
  <T>(read: Reader<T>, maxLength: number, minLength = 0): Reader<T[]> =>
  (value, at) => {
    if (!Array.isArray(value) || value.length > maxLength || value.length < minLength)
      throw new InvalidValue(at, `a list of ${minLength} to ${maxLength} items`)
    return value.map((item, index) => read(item, `${at}[${index}]`))
  }

const maxNameLength = 1_000

/** Values by names that the server chooses. */
export const mapOf =
  <T>(read: Reader<T>, maxEntries: number): Reader<Record<string, T>> =>
  (value, at) => {
    const entries = entriesOf(value, at)
    if (entries.length > maxEntries) throw new InvalidValue(at, `an object of at most ${maxEntries} entries`)
    return Object.fromEntries(entries.map(([name, entry]) => [name, read(entry, `${at}.${name.slice(0, 100)}`)]))
  }

/** An object of which only these fields are used. TypeScript asks for a reader of each field of the protocol. */
export const objectOf =
  <T extends object>(fields: { [K in keyof T]-?: Reader<T[K]> }): Reader<T> =>
  (value, at) => {
    const found = new Map(entriesOf(value, at))
    const entries = Object.entries<Reader<unknown>>(fields).map(
      ([name, read]) => [name, read(found.get(name), at === '' ? name : `${at}.${name}`)] as const,
    )
    return Object.fromEntries(entries.filter(([, field]) => field !== undefined)) as T
  }

/** The same with the fields that the agent does not know: they are compared with those of a signed manifest. */
export const openObjectOf =
  <T extends object>(fields: { [K in keyof T]-?: Reader<T[K]> }): Reader<T> =>
  (value, at) => ({ ...Object.fromEntries(entriesOf(value, at)), ...objectOf(fields)(value, at) })

/** The fields of the object itself, without the one whose name means the prototype where it is assigned. */
function entriesOf(value: unknown, at: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidValue(at, 'an object')
  return Object.entries(value).filter(([name]) => name !== '__proto__' && name.length <= maxNameLength)
}

/** For values that the agent can do without: an invalid one is undefined. */
export const ifValid =
  <T>(read: Reader<T>, onInvalid: (error: InvalidValue) => void = () => undefined): Reader<T | undefined> =>
  (value, at) => {
    try {
      return read(value, at)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      onInvalid(error)
      return undefined
    }
  }
