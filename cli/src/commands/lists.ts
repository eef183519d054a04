import { UsageError } from '../errors.ts'

export function parseLimit(text: unknown): number | undefined {
  if (text === undefined) return undefined
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError(`"${text}" is not a number of items.`)
  return limit
}

/** The first items of a list. Pages behind them are not requested. */
export async function* limited<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): AsyncGenerator<T> {
  let count = 0
  for await (const item of items) {
    yield item
    if (++count >= limit) return
  }
}
