import { expect, test } from 'vitest'
import { withoutDescendants } from '../../src/features/catalog/desired-state/rehearse-activations.ts'

test('only the topmost groups are activated, each once', () => {
  const paths = ['B/c', 'A/b/c', 'a/B', 'A/bc', 'B/c/d', 'b/C', '/x', 'x']

  expect(withoutDescendants(paths)).toEqual(['/x', 'A/bc', 'a/B', 'b/C', 'x'])
})

test('the topmost of 50,000 groups are found in time that grows with their number', () => {
  const paths = Array.from({ length: 50_000 }, (_, at) => `Configuration/${at % 2 === 0 ? at : `${at - 1}/below`}`)
  const startedAt = performance.now()

  expect(withoutDescendants(paths)).toHaveLength(25_000)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})
