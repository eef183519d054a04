import pg from 'pg'
import { expect, test } from 'vitest'
import { type SharedStatement, shareStatements } from '../../src/database/shared-statements.ts'

/** Doubles numbers, and keeps which ones it was asked for together. */
function doubling(options: Partial<SharedStatement<number, number>> = {}) {
  const batches: number[][] = []
  const double = shareStatements({
    async run(items: readonly number[]) {
      batches.push([...items])
      await Promise.resolve()
      return items.map((item) => 2 * item)
    },
    ...options,
  })
  return { batches, double }
}

function refusal(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })
}

test('a call that comes alone has a statement of its own, and those that come meanwhile share the next', async () => {
  const { batches, double } = doubling()

  const results = await Promise.all([1, 2, 3, 4].map(double))
  const later = await double(5)

  expect([...results, later]).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('calls with the same key take turns, in the order in which they came', async () => {
  const { batches, double } = doubling({ keyOf: (item) => item % 10 })

  await Promise.all([1, 2, 12, 3, 22].map(double))

  expect(batches).toEqual([[1], [2, 3], [12], [22]])
})

test('no more share a statement than may', async () => {
  const { batches, double } = doubling({ largest: 2 })

  await Promise.all([1, 2, 3, 4].map(double))

  expect(batches).toEqual([[1], [2, 3], [4]])
})

test('a value that the database refuses fails alone', async () => {
  const run = async (items: readonly number[]) => {
    if (items.includes(3)) throw refusal('22P05')
    return items
  }

  const results = await Promise.allSettled([1, 2, 3, 4].map(shareStatements({ run })))

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a database that is out of reach fails all that wait for it, and not those that come later', async () => {
  let isOutOfReach = true
  let statements = 0
  const call = shareStatements({
    async run(items: readonly number[]) {
      statements++
      if (isOutOfReach) throw refusal('57P03')
      return items
    },
  })

  const results = await Promise.allSettled([1, 2, 3].map(call))
  isOutOfReach = false
  const later = await call(4)

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(statements).toBe(3)
  expect(later).toBe(4)
})
