/** The address has a filter that its page does not know. To ignore it would show more than what was asked for. */
export class UnknownFilter extends Error {
  readonly filter: string
  readonly value: string
  constructor(filter: string, value: string) {
    super(`Unknown filter: ${filter}=${value}`)
    this.filter = filter
    this.value = value
  }
}

/**
 * The values that a filter can have, or what they are like. A filter that is not listed may have any: a search, or an id that the
 * service checks.
 */
export type AllowedValues<Name extends string> = Partial<Record<Name, readonly string[] | RegExp>>

export const wholeNumber = /^\d+$/
/** A time in UTC, as the address has it. */
export const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/

export function requireAllowed<Name extends string>(values: Record<Name, string>, allowed: AllowedValues<Name>): void {
  for (const [name, known] of Object.entries<readonly string[] | RegExp | undefined>(allowed)) {
    const value = values[name as Name]
    const isAllowed = known instanceof RegExp ? known.test(value) : known?.includes(value)
    if (value !== '' && !isAllowed) throw new UnknownFilter(name, value)
  }
}
