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

/** The values that a filter can have. A filter that is not listed may have any: a search, or the id of something. */
export type AllowedValues<Name extends string> = Partial<Record<Name, readonly string[]>>

export function requireAllowed<Name extends string>(values: Record<Name, string>, allowed: AllowedValues<Name>): void {
  for (const [name, known] of Object.entries<readonly string[] | undefined>(allowed)) {
    const value = values[name as Name]
    if (value !== '' && !known?.includes(value)) throw new UnknownFilter(name, value)
  }
}
