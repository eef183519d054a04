import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findExceededBudgets, readBudgets } from '../../tools/test-budgets.ts'
import { kindOf } from '../../tools/test-kinds.ts'

const budgets = { a: 100, b: 40, c: 60, d: 2 }
const timesOf = (seconds: Record<string, number>) =>
  Object.entries(seconds).map(([name, taken]) => ({ name, seconds: taken }))

test('a folder that takes more than three times its budget is named', () => {
  const result = findExceededBudgets(timesOf({ a: 301, b: 40, c: 60, d: 2 }), budgets)

  expect(result).toEqual({ slowdown: 1, exceeded: [{ name: 'a', seconds: 301, allowed: 300 }] })
})

test('a machine that is slower with all folders exceeds no budget, and one that is faster does not reduce them', () => {
  expect(findExceededBudgets(timesOf({ a: 300, b: 120, c: 180, d: 6 }), budgets)).toEqual({ slowdown: 3, exceeded: [] })
  expect(findExceededBudgets(timesOf({ a: 140, b: 4, c: 6, d: 0.2 }), budgets)).toEqual({ slowdown: 1, exceeded: [] })
})

test('on a slow machine, a folder that became slower than the others is named', () => {
  const result = findExceededBudgets(timesOf({ a: 200, b: 80, c: 370, d: 4 }), budgets)

  expect(result?.exceeded.map(({ name }) => name)).toEqual(['c'])
})

test('a short folder and a new one may take some seconds', () => {
  const times = { a: 100, b: 40, c: 60, d: 14, short: 29, long: 31 }

  expect(findExceededBudgets(timesOf(times), budgets)?.exceeded.map(({ name }) => name)).toEqual(['long'])
})

test('a run of some folders only has no result', () => {
  expect(findExceededBudgets(timesOf({ a: 1_000, b: 1_000 }), budgets)).toBeUndefined()
})

test('every folder has a budget of a whole number of seconds', () => {
  expect(Object.values(readBudgets()).filter((seconds) => !Number.isInteger(seconds) || seconds < 1)).toEqual([])
})

test.each([
  ['faults/graceful-stop.test.ts', 'waiting'],
  ['faults/matrix.test.ts', 'waiting'],
  ['database/embedded-postgres/crash.test.ts', 'waiting'],
  ['cluster/workers.test.ts', 'waiting'],
  ['../../tests/windows-agent/windows-agent.test.ts', 'waiting'],
  ['faults/fuzz.test.ts', 'computing'],
  ['platform/operations/every-operation.test.ts', 'computing'],
  ['database/lock-order.test.ts', 'computing'],
  ['groups/create-group.test.ts', 'quick'],
])('%s is a file that is %s', (file, kind) => {
  expect(kindOf(readFileSync(join(import.meta.dirname, file), 'utf8'))).toBe(kind)
})
