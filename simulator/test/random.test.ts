import { expect, test } from 'vitest'
import { drawsOf, uuidOf } from '../src/random.ts'

const firstDraws = (draws = drawsOf(1, 17, 'work', 3)) => Array.from({ length: 20 }, () => draws.next())

test('the same seed, computer, purpose and occasion give the same draws', () => {
  expect(firstDraws(drawsOf(1, 17, 'work', 3))).toEqual(firstDraws(drawsOf(1, 17, 'work', 3)))
})

test.for([
  ['seed', drawsOf(2, 17, 'work', 3)],
  ['computer', drawsOf(1, 18, 'work', 3)],
  ['purpose', drawsOf(1, 17, 'wake', 3)],
  ['occasion', drawsOf(1, 17, 'work', 4)],
] as const)('another %s gives other draws', ([, draws]) => {
  expect(firstDraws(draws)).not.toEqual(firstDraws())
})

test('draws are evenly distributed', () => {
  const draws = drawsOf(5, 1, 'spread')
  const tenths = new Array<number>(10).fill(0)
  for (let round = 0; round < 100_000; round++) {
    const tenth = Math.floor(draws.next() * 10)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }

  expect(Math.min(...tenths)).toBeGreaterThan(9_500)
  expect(Math.max(...tenths)).toBeLessThan(10_500)
})

test('run ids are UUIDs and differ between 20,000 computers', () => {
  const ids = new Set(Array.from({ length: 20_000 }, (_, computer) => uuidOf(drawsOf(1, computer, 'run'))))

  expect(ids.size).toBe(20_000)
  for (const id of [...ids].slice(0, 100))
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
