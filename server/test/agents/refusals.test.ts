import { expect, onTestFinished, test, vi } from 'vitest'
import { openRefusals } from '../../src/features/agents/wake/refusals.ts'

test('a machine whose credentials are refused too often has to wait for the next minute, and others do not', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const refusals = openRefusals(3)
  const isExceeded = () => [refusals.isExceeded('192.0.2.1'), refusals.isExceeded('192.0.2.2')]

  for (let time = 0; time < 3; time++) {
    expect(isExceeded()).toEqual([false, false])
    refusals.record('192.0.2.1')
  }
  expect(isExceeded()).toEqual([true, false])

  vi.advanceTimersByTime(60_000)
  expect(isExceeded()).toEqual([false, false])
})
