/** What a change would do, from its dry run. */
export type DryRun<T> = {
  answer: T
  /** The computers that it affects. Undefined if it is not about computers. */
  computers: number | undefined
  /** Those of them that have not been seen for a week. */
  away: number | undefined
}

export type Answer<T> = { data?: T; response: Response }

export async function dryRunOf<T>(call: Promise<Answer<T>>): Promise<DryRun<T>> {
  const { data, response } = await call
  const numberIn = (header: string) => {
    const value = response.headers.get(header)
    return value === null ? undefined : Number(value)
  }
  return {
    answer: data as T,
    computers: numberIn('muster-affected-computers'),
    away: numberIn('muster-away-computers'),
  }
}
