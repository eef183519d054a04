import type { Database } from './connect.ts'
import { isConnectionLost, isDatabaseUnavailable, isStatementCancelled, StatementQueueFull } from './errors.ts'
import { runUntraced } from './traced-work.ts'

type PendingCall<Item, Result> = { item: Item; key: unknown; resolvers: PromiseWithResolvers<Result> }

export type BatchedStatement<Item, Result> = {
  /**
   * Runs one statement for all items and returns their results in the same order. It must be safe to repeat: a batch is
   * run again if its connection is lost, and each of its items alone if the batch fails.
   */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Two items with the same key never run at the same time. A primitive value. */
  keyOf?(item: Item): string | number
  maxBatchSize?: number
  /** Batches that are not large begin at least this long after each other, and more calls share them. A call after a pause does not wait. */
  minIntervalMs?: number
  /** A batch of this size is large: the statement is no longer most of what its calls cost. By default, a full one. */
  largeBatchSize?: number
  /** From this many waiting calls on, further ones fail with `StatementQueueFull`. */
  maxPending?: number
  /** The same for calls with one key: they wait for each other, and must not take the room of all others. */
  maxPendingPerKey?: number
  /** The number of batches that may run at once while some of them are slow. */
  maxRunning?: number
  /** Whether a slow batch is run a second time on another connection so that the faster answer wins. For reads. */
  isRepeatedWhenSlow?: boolean
}

/** From then on a batch counts as slow: its connection may be silent, or one of its rows locked. */
const patienceMs = 250

/**
 * Returns a function that batches concurrent calls. One statement runs at a time, and calls that arrive while it runs
 * form the next batch. An idle system therefore runs one statement per call without delay, a busy one runs one statement
 * for many calls, and no call gets a result that was read before it arrived. Calls do not wait for a slow statement:
 * the next batch then runs beside it.
 */
export function batchCalls<Item, Result>(statement: BatchedStatement<Item, Result>): (item: Item) => Promise<Result> {
  const { keyOf, maxBatchSize = Number.POSITIVE_INFINITY, minIntervalMs = 0 } = statement
  const { largeBatchSize = maxBatchSize } = statement
  const { maxRunning = 2, maxPending = 10_000, maxPendingPerKey = 64 } = statement
  const pendingPerKey = new Map<unknown, number>()
  const pending: PendingCall<Item, Result>[] = []
  const runningKeys = new Set<unknown>()
  let running = 0
  let slow = 0
  let lastStart = Number.NEGATIVE_INFINITY
  let isStartPlanned = false

  function addPending(key: unknown, change: 1 | -1): void {
    const count = (pendingPerKey.get(key) ?? 0) + change
    if (count > 0) pendingPerKey.set(key, count)
    else pendingPerKey.delete(key)
  }

  function startBatches(): void {
    while (running === slow && running < maxRunning && pending.length > 0) {
      const sinceStart = performance.now() - lastStart
      // A clock that was ahead, as in some tests, must not stop the calls.
      if (sinceStart >= 0 && sinceStart < minIntervalMs && pending.length < largeBatchSize) {
        planStart(minIntervalMs - sinceStart)
        return
      }
      const batch = takeBatch(statement, pending, runningKeys)
      if (batch.length === 0) return
      lastStart = performance.now()
      for (const { key } of batch) addPending(key, -1)
      void runUntraced(() => run(batch))
    }
  }

  function planStart(milliseconds: number): void {
    if (isStartPlanned) return
    isStartPlanned = true
    setTimeout(() => {
      isStartPlanned = false
      startBatches()
    }, Math.ceil(milliseconds))
  }

  async function run(batch: readonly PendingCall<Item, Result>[]): Promise<void> {
    running++
    for (const { key } of batch) runningKeys.add(key)
    let isSlow = false
    const answeredByRepetition = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      isSlow = true
      slow++
      if (statement.isRepeatedWhenSlow) void repeatBatch(statement, batch, answeredByRepetition.resolve)
      startBatches()
    }, patienceMs)
    await Promise.race([runBatch(statement, batch), answeredByRepetition.promise])
    clearTimeout(timer)
    running--
    if (isSlow) slow--
    for (const { key } of batch) runningKeys.delete(key)
    startBatches()
  }

  return (item) => {
    const resolvers = Promise.withResolvers<Result>()
    const key = keyOf ? keyOf(item) : resolvers
    if (pending.length >= maxPending || (pendingPerKey.get(key) ?? 0) >= maxPendingPerKey)
      return Promise.reject(new StatementQueueFull('Too many calls are waiting for the same statement.'))
    pending.push({ item, key, resolvers })
    addPending(key, 1)
    startBatches()
    return resolvers.promise
  }
}

/** Batches the concurrent calls on each pool: they share a statement on that pool. */
export function shareStatement<Item, Result>(
  statementOn: (db: Database) => BatchedStatement<Item, Result>,
): (db: Database, item: Item) => Promise<Result> {
  const batched = new WeakMap<Database, (item: Item) => Promise<Result>>()
  return (db, item) => {
    const call = batched.get(db) ?? batchCalls(statementOn(db))
    batched.set(db, call)
    return call(item)
  }
}

/** Removes the next batch from the pending calls and leaves the others in their order. */
function takeBatch<Item, Result>(
  { maxBatchSize = Number.POSITIVE_INFINITY }: BatchedStatement<Item, Result>,
  pending: PendingCall<Item, Result>[],
  runningKeys: ReadonlySet<unknown>,
): PendingCall<Item, Result>[] {
  const keys = new Set<unknown>(runningKeys)
  const batch: PendingCall<Item, Result>[] = []
  const later: PendingCall<Item, Result>[] = []
  for (const call of pending.splice(0)) {
    const isInBatch = batch.length < maxBatchSize && !keys.has(call.key)
    keys.add(call.key)
    ;(isInBatch ? batch : later).push(call)
  }
  // Not all at once: more arguments than fit onto the stack would end the process.
  for (const call of later) pending.push(call)
  return batch
}

async function runBatch<Item, Result>(
  statement: BatchedStatement<Item, Result>,
  batch: readonly PendingCall<Item, Result>[],
): Promise<void> {
  try {
    const results = await runRepeatably(
      statement,
      batch.map(({ item }) => item),
    )
    resolveCalls(batch, results)
  } catch (error) {
    // What one item causes must fail only its own call. An unreachable or overloaded database concerns them all.
    const concernsAll = isDatabaseUnavailable(error) || isStatementCancelled(error)
    if (batch.length > 1 && !concernsAll) for (const call of batch) await runBatch(statement, [call])
    else for (const { resolvers } of batch) resolvers.reject(error)
  }
}

/** Runs the statement, and once more if its connection is lost. */
async function runRepeatably<Item, Result>(
  { run }: BatchedStatement<Item, Result>,
  items: readonly Item[],
): Promise<readonly Result[]> {
  try {
    return await run(items)
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return run(items)
  }
}

/** Runs the statement beside a slow one for the same calls. The faster answer counts; a failure is left to the other. */
async function repeatBatch<Item, Result>(
  { run }: BatchedStatement<Item, Result>,
  batch: readonly PendingCall<Item, Result>[],
  onAnswer: () => void,
): Promise<void> {
  const results = await run(batch.map(({ item }) => item)).catch(() => undefined)
  if (!results) return
  resolveCalls(batch, results)
  onAnswer()
}

function resolveCalls<Item, Result>(batch: readonly PendingCall<Item, Result>[], results: readonly Result[]): void {
  for (const [index, { resolvers }] of batch.entries()) resolvers.resolve(results[index] as Result)
}
