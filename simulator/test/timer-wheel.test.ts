import { expect, test } from 'vitest'
import { drawsOf } from '../src/random.ts'
import { timerWheel } from '../src/timer-wheel.ts'

const computers = 50

test('the wheel wakes every computer exactly once, in the tick of the time that was set last, however far away it is', () => {
  for (let seed = 0; seed < 60; seed++) {
    const draws = drawsOf(seed, 0, 'wheel')
    const wheel = timerWheel(computers, 1_000, 10, 16)
    const expected = new Map<number, number>()
    let now = 1_000
    for (let round = 0; round < 200; round++) {
      const computer = draws.whole(0, computers - 1)
      const time = draws.happens(0.1) ? Number.POSITIVE_INFINITY : now + draws.whole(-50, 2_000)
      wheel.set(computer, time)
      expected.set(computer, time)

      if (draws.happens(0.5)) now += draws.whole(0, 400)
      const woken: number[] = []
      wheel.wakeDue(now, (one) => woken.push(one))

      const due = [...expected].filter(([, planned]) => planned <= now).map(([one]) => one)
      expect(woken.toSorted()).toEqual(due.toSorted())
      for (const one of due) expected.delete(one)
    }
  }
})

test('the wheel wakes all due computers after a long pause between two checks', () => {
  const wheel = timerWheel(3, 0, 10, 8)
  wheel.set(0, 5)
  wheel.set(1, 500)
  wheel.set(2, 100_000)

  const woken: number[] = []
  wheel.wakeDue(90_000, (one) => woken.push(one))

  expect(woken.toSorted()).toEqual([0, 1])
  expect(wheel.timeOf(2)).toBe(100_000)
})
