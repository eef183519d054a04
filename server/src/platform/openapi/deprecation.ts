/** An operation that callers should leave, because another one has taken its place. */
export type Deprecation = {
  /** The first day on which it is deprecated, such as `2026-11-19`. */
  since: `${number}-${number}-${number}`
  /** The day on which it may be removed, if that is decided. */
  sunset?: `${number}-${number}-${number}`
  /** The id of the operation to call instead. */
  use: string
}

/** For people who read the description of the API. */
export function describeDeprecation({ since, sunset, use }: Deprecation): string {
  const removal = sunset ? `, and may be removed from ${sunset} on` : ''
  return `Deprecated since ${since}${removal}. Use \`${use}\` instead.`
}
