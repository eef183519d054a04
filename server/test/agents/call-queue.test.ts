import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openCallQueue } from '../../src/features/agents/wake/call-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue whose process hands out work with this load, and what it has called. */
function openQueue(state: { running: number; waiting: number; perSecond: number }) {
  const calls: number[] = []
  const queue = openCallQueue({ turns: { state: () => state }, call: (id) => void calls.push(id), onEmpty() {} })
  return { queue, calls, state }
}

const fill = ({ queue }: ReturnType<typeof openQueue>, count: number) => {
  for (let id = 0; id < count; id++) queue.add(id)
}

test('a single call does not wait', () => {
  const opened = openQueue({ running: 0, waiting: 0, perSecond: 640 })

  fill(opened, 1)
  vi.advanceTimersByTime(1)

  expect(opened.calls).toEqual([0])
})

test('the pace grows while there is room, however few hand-outs were measured', () => {
  const opened = openQueue({ running: 1, waiting: 0, perSecond: 15 })

  fill(opened, 5_000)
  vi.advanceTimersByTime(15_000)

  expect(opened.calls).toHaveLength(5_000)
})

test('not all are called at once', () => {
  const opened = openQueue({ running: 0, waiting: 0, perSecond: 640 })

  fill(opened, 5_000)
  vi.advanceTimersByTime(1_000)

  expect(opened.calls.length).toBeLessThan(300)
})

test.each([
  ['agents wait for their turns', { running: 1, waiting: 5, perSecond: 640 }],
  ['many hand-outs run', { running: 16, waiting: 0, perSecond: 640 }],
])('while %s, hardly any are called, and afterwards the pace recovers', (_, saturated) => {
  const opened = openQueue(saturated)
  fill(opened, 3_000)

  vi.advanceTimersByTime(5_000)
  const whileSaturated = opened.calls.length
  Object.assign(opened.state, { running: 0, waiting: 0 })
  vi.advanceTimersByTime(15_000)

  expect(whileSaturated).toBeLessThan(100)
  expect(opened.calls).toHaveLength(3_000)
})
