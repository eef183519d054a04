import { isUnfitValue } from './errors.ts'

type Waiting<Item, Result> = { item: Item; settle: PromiseWithResolvers<Result> }

export type SharedStatement<Item, Result> = {
  /** Answers all items, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Items with the same key never share a statement. */
  keyOf?(item: Item): unknown
  /** How many may share a statement. */
  largest?: number
}

/**
 * Calls that arrive while a statement is under way share the next one: at ease each has a statement of its own, under
 * load one serves many, and none is served by a statement that began before it arrived.
 */
export function shareStatements<Item, Result>(
  statement: SharedStatement<Item, Result>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let isUnderWay = false

  async function serveWaiting(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) await serve(statement, takeBatch(statement, waiting))
    isUnderWay = false
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>()
    waiting.push({ item, settle })
    if (!isUnderWay) void serveWaiting()
    return settle.promise
  }
}

/** Takes as many of the first as may share a statement, and leaves the others waiting. */
function takeBatch<Item, Result>(
  { keyOf, largest = Number.POSITIVE_INFINITY }: SharedStatement<Item, Result>,
  waiting: Waiting<Item, Result>[],
): Waiting<Item, Result>[] {
  const keys = new Set<unknown>()
  const batch: Waiting<Item, Result>[] = []
  const left: Waiting<Item, Result>[] = []
  for (const call of waiting.splice(0)) {
    const key = keyOf ? keyOf(call.item) : call
    const isTaken = batch.length < largest && !keys.has(key)
    keys.add(key)
    ;(isTaken ? batch : left).push(call)
  }
  waiting.push(...left)
  return batch
}

async function serve<Item, Result>(
  statement: SharedStatement<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await statement.run(batch.map(({ item }) => item))
    for (const [at, { settle }] of batch.entries()) settle.resolve(results[at] as Result)
  } catch (error) {
    // One unfit value must not fail those that share its statement.
    if (batch.length > 1 && isUnfitValue(error)) for (const call of batch) await serve(statement, [call])
    else for (const { settle } of batch) settle.reject(error)
  }
}
