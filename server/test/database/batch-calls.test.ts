import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type BatchedStatement, batchCalls } from '../../src/database/batch-calls.ts'
import { StatementQueueFull } from '../../src/database/errors.ts'

/** A batched function that doubles numbers, and the batches that it ran. */
function batchedDouble(options: Partial<BatchedStatement<number, number>> = {}) {
  const batches: number[][] = []
  const double = batchCalls({
    async run(items: readonly number[]) {
      batches.push([...items])
      await Promise.resolve()
      return items.map((item) => 2 * item)
    },
    ...options,
  })
  return { batches, double }
}

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })
}

test('a single call gets a statement of its own, and calls that arrive while it runs share the next one', async () => {
  const { batches, double } = batchedDouble()

  const results = await Promise.all([1, 2, 3, 4].map(double))
  const later = await double(5)

  expect([...results, later]).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('calls with the same key run one after the other, in the order of their arrival', async () => {
  const { batches, double } = batchedDouble({ keyOf: (item) => item % 10 })

  await Promise.all([1, 2, 12, 3, 22].map(double))

  expect(batches).toEqual([[1], [2, 3], [12], [22]])
})

test('a batch never exceeds its maximum size', async () => {
  const { batches, double } = batchedDouble({ maxBatchSize: 2 })

  await Promise.all([1, 2, 3, 4].map(double))

  expect(batches).toEqual([[1], [2, 3], [4]])
})

test('with a minimum interval, calls that follow each other closely share a statement, and one after a pause does not wait', async () => {
  const { batches, double } = batchedDouble({ minIntervalMs: 50 })
  const began = performance.now()

  await double(1)
  const firstTook = performance.now() - began
  await Promise.all([double(2), sleep(10).then(() => double(3))])
  const took = performance.now() - began

  expect(batches).toEqual([[1], [2, 3]])
  expect(firstTook).toBeLessThan(50)
  expect(took).toBeGreaterThanOrEqual(49)
})

test.each([
  ['full', { maxBatchSize: 2 }],
  ['large', { largeBatchSize: 2, maxBatchSize: 10 }],
])('a batch that is %s does not wait for the minimum interval', async (_, sizes) => {
  const { batches, double } = batchedDouble({ minIntervalMs: 3_600_000, ...sizes })

  await Promise.all([1, 2, 3].map(double))

  expect(batches).toEqual([[1], [2, 3]])
})

test('a call is refused while too many others wait, with any key or with its own', async () => {
  const { batches, double } = batchedDouble({ keyOf: (item) => item % 10, maxPending: 4, maxPendingPerKey: 2 })
  const statuses = async (items: number[]) => (await Promise.allSettled(items.map(double))).map(({ status }) => status)

  // The first runs at once, and the others wait for it.
  const ofOneKey = await statuses([1, 11, 21, 31, 2])
  const ofAll = await statuses([1, 2, 3, 4, 5, 6])

  expect(ofOneKey).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(ofAll).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
  expect(batches.flat()).toEqual([1, 11, 2, 21, 1, 2, 3, 4, 5])
  await expect(Promise.all([1, 11, 21, 31].map(double))).rejects.toThrow(StatementQueueFull)
})

test('a value that the database refuses fails only its own call', async () => {
  const run = async (items: readonly number[]) => {
    if (items.includes(3)) throw databaseError('22P05')
    return items
  }

  const results = await Promise.allSettled([1, 2, 3, 4].map(batchCalls({ run })))

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('an unavailable database fails all calls of the batch, but not later calls', async () => {
  let isUnavailable = true
  let statements = 0
  const call = batchCalls({
    async run(items: readonly number[]) {
      statements++
      if (isUnavailable) throw databaseError('57P03')
      return items
    },
  })

  const results = await Promise.allSettled([1, 2, 3].map(call))
  isUnavailable = false
  const later = await call(4)

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(statements).toBe(3)
  expect(later).toBe(4)
})

test('whatever the error, one call that makes its batch fail does not fail the others', async () => {
  const run = async (items: readonly number[]) => {
    if (items.includes(3)) throw databaseError('55P03')
    if (items.includes(4)) throw new TypeError('a fault')
    return items
  }

  const results = await Promise.allSettled([1, 2, 3, 4, 5].map(batchCalls({ run })))

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
})

test('calls do not wait for a statement that does not answer, but those with its keys do', async () => {
  const silent = Promise.withResolvers<readonly number[]>()
  const run = async (items: readonly number[]) => (items.includes(1) ? silent.promise : items)
  const call = batchCalls({ run, keyOf: (item) => item % 10 })

  const [stuck, sameKey] = [call(1), call(11)]
  const others = await Promise.all([2, 3].map(call))
  silent.resolve([1])

  expect(others).toEqual([2, 3])
  expect(await Promise.all([stuck, sameKey])).toEqual([1, 11])
})

test('a batch whose connection breaks runs once more, so its calls notice nothing', async () => {
  let attempts = 0
  const run = async (items: readonly number[]) => {
    if (++attempts === 1) throw new Error('Connection terminated unexpectedly')
    return items
  }

  expect(await batchCalls({ run })(7)).toBe(7)
})

test('a read that is slow runs again on another connection, and the faster answer counts', async () => {
  let attempts = 0
  const run = (items: readonly number[]) =>
    ++attempts === 1 ? new Promise<readonly number[]>(() => {}) : Promise.resolve(items)

  expect(await batchCalls({ run, isRepeatedWhenSlow: true })(7)).toBe(7)
})

test('a read that was answered by its repetition does not delay later ones, even if its first attempt never ends', async () => {
  let attempts = 0
  const run = (items: readonly number[]) =>
    ++attempts % 2 === 1 ? new Promise<readonly number[]>(() => {}) : Promise.resolve(items)
  const read = batchCalls({ run, isRepeatedWhenSlow: true })

  expect([await read(1), await read(2), await read(3)]).toEqual([1, 2, 3])
})
