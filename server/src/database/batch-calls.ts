import { isInvalidValue } from './errors.ts'

type PendingCall<Item, Result> = { item: Item; resolvers: PromiseWithResolvers<Result> }

export type BatchedStatement<Item, Result> = {
  /** Runs one statement for all items and returns their results in the same order. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Two items with the same key are never in the same batch. */
  keyOf?(item: Item): unknown
  maxBatchSize?: number
}

/**
 * Returns a function that batches concurrent calls. One statement runs at a time, and calls that arrive while it runs
 * form the next batch. An idle system therefore runs one statement per call without delay, a busy one runs one statement
 * for many calls, and no call gets a result that was read before it arrived.
 */
export function batchCalls<Item, Result>(statement: BatchedStatement<Item, Result>): (item: Item) => Promise<Result> {
  const pending: PendingCall<Item, Result>[] = []
  let isRunning = false

  async function runPending(): Promise<void> {
    isRunning = true
    while (pending.length > 0) await runBatch(statement, takeBatch(statement, pending))
    isRunning = false
  }

  return (item) => {
    const resolvers = Promise.withResolvers<Result>()
    pending.push({ item, resolvers })
    if (!isRunning) void runPending()
    return resolvers.promise
  }
}

/** Removes the next batch from the pending calls and leaves the others in their order. */
function takeBatch<Item, Result>(
  { keyOf, maxBatchSize = Number.POSITIVE_INFINITY }: BatchedStatement<Item, Result>,
  pending: PendingCall<Item, Result>[],
): PendingCall<Item, Result>[] {
  const keys = new Set<unknown>()
  const batch: PendingCall<Item, Result>[] = []
  const later: PendingCall<Item, Result>[] = []
  for (const call of pending.splice(0)) {
    const key = keyOf ? keyOf(call.item) : call
    const isInBatch = batch.length < maxBatchSize && !keys.has(key)
    keys.add(key)
    ;(isInBatch ? batch : later).push(call)
  }
  pending.push(...later)
  return batch
}

async function runBatch<Item, Result>(
  statement: BatchedStatement<Item, Result>,
  batch: readonly PendingCall<Item, Result>[],
): Promise<void> {
  try {
    const results = await statement.run(batch.map(({ item }) => item))
    for (const [index, { resolvers }] of batch.entries()) resolvers.resolve(results[index] as Result)
  } catch (error) {
    // An invalid value must fail only its own call, so each call of the batch gets a statement of its own.
    if (batch.length > 1 && isInvalidValue(error)) for (const call of batch) await runBatch(statement, [call])
    else for (const { resolvers } of batch) resolvers.reject(error)
  }
}
