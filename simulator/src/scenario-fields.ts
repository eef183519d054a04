/** One thing that a scenario may say. */
export type Field<T> = {
  about: string
  /** What is allowed, for people. */
  allowed: string
  fallback: T
  read(said: unknown, place: string, faults: string[]): T
  /** The fields inside, if there are any. */
  inner?: Record<string, Field<unknown>>
}

export type Read<F> = F extends Field<infer T> ? T : never

/** What is said there, or the default for what is not said. */
export function readBy<T>(field: Field<T>, said: unknown, place: string, faults: string[]): T {
  return said === undefined ? field.fallback : field.read(said, place, faults)
}

function field<T>(about: string, allowed: string, fallback: T, accept: (said: unknown) => said is T): Field<T> {
  return {
    about,
    allowed,
    fallback,
    read(said, place, faults) {
      if (accept(said)) return said
      faults.push(`${place} must be ${allowed}, not ${JSON.stringify(said)}.`)
      return fallback
    },
  }
}

type Range = readonly [least: number, most: number]

const isNumber = (said: unknown): said is number => typeof said === 'number' && Number.isFinite(said)

export const number = (fallback: number, [least, most]: Range, about: string) =>
  field(
    about,
    `a number from ${least} to ${most}`,
    fallback,
    (said): said is number => isNumber(said) && said >= least && said <= most,
  )

export const whole = (fallback: number, [least, most]: Range, about: string) =>
  field(
    about,
    `a whole number from ${least} to ${most}`,
    fallback,
    (said): said is number => Number.isInteger(said) && Number(said) >= least && Number(said) <= most,
  )

export const share = (fallback: number, about: string) => number(fallback, [0, 1], about)

export const truth = (fallback: boolean, about: string) =>
  field(about, 'true or false', fallback, (said): said is boolean => typeof said === 'boolean')

export const word = (fallback: string, about: string) =>
  field(
    about,
    'a text without blanks, of 1 to 200 characters',
    fallback,
    (said): said is string => typeof said === 'string' && /^\S{1,200}$/.test(said),
  )

export const text = (about: string) =>
  field(
    about,
    'a text of 1 to 200 characters',
    '',
    (said): said is string => typeof said === 'string' && said.length > 0 && said.length <= 200,
  )

export const date = (about: string) =>
  field(about, 'a day such as "2026-03-02"', '', (said): said is string => {
    if (typeof said !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(said)) return false
    const time = new Date(`${said}T00:00:00Z`)
    return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(said)
  })

/** Null, which is the default, or what the field allows. */
export function optional<T>({ about, allowed, read }: Field<T>): Field<T | null> {
  return {
    about,
    allowed: `null or ${allowed}`,
    fallback: null,
    read: (said, place, faults) => (said === null ? null : read(said, place, faults)),
  }
}

type Fields = Record<string, Field<unknown>>
type Values<F extends Fields> = { [K in keyof F]: Read<F[K]> }

export function objectOf<F extends Fields>(fields: F): Field<Values<F>> {
  const names = Object.keys(fields)
  const within = (place: string, name: string) => (place === '' ? name : `${place}.${name}`)
  return {
    about: '',
    allowed: 'an object',
    fallback: Object.fromEntries(names.map((name) => [name, fields[name]?.fallback])) as Values<F>,
    inner: fields,
    read(said, place, faults) {
      if (typeof said !== 'object' || said === null || Array.isArray(said)) {
        faults.push(`${place || 'It'} must be an object, not ${JSON.stringify(said)}.`)
        return this.fallback
      }
      for (const name of Object.keys(said))
        if (!(name in fields) && name !== '$about')
          faults.push(`${within(place, name)} is not known. ${place || 'A scenario'} may have ${names.join(', ')}.`)
      const read = Object.entries(fields).map(([name, one]) => {
        return [name, readBy(one, (said as Record<string, unknown>)[name], within(place, name), faults)]
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
    read(said, place, faults) {
      if (Array.isArray(said)) return said.map((one, at) => item.read(one, `${place}[${at}]`, faults))
      faults.push(`${place} must be a list, not ${JSON.stringify(said)}.`)
      return []
    },
  }
}
