/** One field of a scenario. */
export type Field<T> = {
  about: string
  /** Describes the allowed values in error messages. */
  allowed: string
  fallback: T
  read(value: unknown, path: string, errors: string[]): T
  /** The fields of an object, or of the objects in a list. */
  inner?: Record<string, Field<unknown>>
}

export type Read<F> = F extends Field<infer T> ? T : never

/** Reads a field. A missing value gives the default; an invalid one adds to `errors`. */
export function readField<T>(field: Field<T>, value: unknown, path: string, errors: string[]): T {
  return value === undefined ? field.fallback : field.read(value, path, errors)
}

function field<T>(about: string, allowed: string, fallback: T, accept: (value: unknown) => value is T): Field<T> {
  return {
    about,
    allowed,
    fallback,
    read(value, path, errors) {
      if (accept(value)) return value
      errors.push(`${path} must be ${allowed}, not ${JSON.stringify(value)}.`)
      return fallback
    },
  }
}

type Range = readonly [min: number, max: number]

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

export const number = (fallback: number, [min, max]: Range, about: string) =>
  field(
    about,
    `a number from ${min} to ${max}`,
    fallback,
    (value): value is number => isNumber(value) && value >= min && value <= max,
  )

export const wholeNumber = (fallback: number, [min, max]: Range, about: string) =>
  field(
    about,
    `a whole number from ${min} to ${max}`,
    fallback,
    (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  )

export const share = (fallback: number, about: string) => number(fallback, [0, 1], about)

export const flag = (fallback: boolean, about: string) =>
  field(about, 'true or false', fallback, (value): value is boolean => typeof value === 'boolean')

export const unspacedText = (fallback: string, about: string) =>
  field(
    about,
    'a text of 1 to 200 characters without spaces',
    fallback,
    (value): value is string => typeof value === 'string' && /^\S{1,200}$/.test(value),
  )

export const text = (about: string) =>
  field(
    about,
    'a text of 1 to 200 characters',
    '',
    (value): value is string => typeof value === 'string' && value.length > 0 && value.length <= 200,
  )

export const date = (about: string) =>
  field(about, 'a date such as "2026-03-02"', '', (value): value is string => {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
    const time = new Date(`${value}T00:00:00Z`)
    return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value)
  })

/** Allows null, which is the default, in addition to what the field allows. */
export function optional<T>({ about, allowed, read }: Field<T>): Field<T | null> {
  return {
    about,
    allowed: `null or ${allowed}`,
    fallback: null,
    read: (value, path, errors) => (value === null ? null : read(value, path, errors)),
  }
}

type Fields = Record<string, Field<unknown>>
type Values<F extends Fields> = { [K in keyof F]: Read<F[K]> }

export function objectOf<F extends Fields>(fields: F): Field<Values<F>> {
  const names = Object.keys(fields)
  const within = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
  return {
    about: '',
    allowed: 'an object',
    fallback: Object.fromEntries(names.map((name) => [name, fields[name]?.fallback])) as Values<F>,
    inner: fields,
    read(value, path, errors) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        errors.push(`${path || 'The scenario'} must be an object, not ${JSON.stringify(value)}.`)
        return this.fallback
      }
      for (const name of Object.keys(value))
        if (!(name in fields) && name !== '$about')
          errors.push(`${within(path, name)} is unknown. ${path || 'A scenario'} may contain ${names.join(', ')}.`)
      const read = Object.entries(fields).map(([name, one]) => {
        return [name, readField(one, (value as Record<string, unknown>)[name], within(path, name), errors)]
      })
      return Object.fromEntries(read) as Values<F>
    },
  }
}

export function listOf<T>(item: Field<T>, about: string): Field<T[]> {
  return {
    about,
    allowed: 'a list',
    fallback: [],
    ...(item.inner && { inner: item.inner }),
    read(value, path, errors) {
      if (Array.isArray(value)) return value.map((one, at) => item.read(one, `${path}[${at}]`, errors))
      errors.push(`${path} must be a list, not ${JSON.stringify(value)}.`)
      return []
    },
  }
}
