/**
 * Adds up what `run` returns for each subject. One that fails, for example because its rows are locked, must not keep the others
 * waiting, so its error is thrown after all of them.
 */
export async function sumOfEach<T>(
  subjects: Iterable<T>,
  run: (subject: T) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  const errors: unknown[] = []
  let sum = 0
  for (const subject of subjects) {
    if (signal?.aborted) break
    try {
      sum += await run(subject)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'Several subjects failed.')
  return sum
}
