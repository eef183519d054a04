import { UsageError } from '../errors.ts'

/** The size of a ring: a number of computers, or a percentage. */
export function parseRing(text: string): { count: number } | { percent: number } {
  const [, number, unit] = /^(\d+)(%?)$/.exec(text) ?? []
  if (number === undefined)
    throw new UsageError(`"${text}" is not a ring: write a number of computers, or a percentage.`)
  return unit === '%' ? { percent: Number(number) } : { count: Number(number) }
}
