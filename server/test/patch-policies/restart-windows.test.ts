import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type PolicyRestart,
  restartMinutes,
  restartTermsIn,
  restartWindowOf,
} from '../../src/features/hand-out/policy-restarts.ts'
import { weekdays } from '../../src/features/hand-out/rollout-windows.ts'

const minuteMs = 60_000

const anyWindow = fc.record({
  days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
  start: fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  durationMinutes: fc.integer({ min: 5, max: 1440 }),
})

const anyRestart: fc.Arbitrary<PolicyRestart> = fc.record({
  windows: fc.array(anyWindow, { minLength: 1, maxLength: 3 }),
  timeZone: fc.constantFrom(null, 'UTC', 'America/New_York', 'Asia/Kathmandu'),
  timeoutMinutes: fc.integer({ min: -1, max: 120 }),
  reminderMinutes: fc.constant(10),
  userDeadline: fc.option(
    fc.record({
      afterHours: fc.constantFrom(1, 48),
      latestUtc: fc.constantFrom(null, '2026-03-29T04:00:00.000Z'),
      maxPostponements: fc.constant(3),
      quietHours: fc.constant(null),
      closePrograms: fc.constantFrom([], ['soffice.bin']),
      noticeMinutes: fc.integer({ min: 1, max: 120 }),
    }),
  ),
})

const anyTime = fc.date({ min: new Date('2026-03-01'), max: new Date('2026-11-30'), noInvalidDate: true })

/** Day of the week and minutes since midnight, by the clock of a time zone. */
function localTime(at: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { day: get('weekday'), minutes: Number(get('hour')) * 60 + Number(get('minute')) }
}

test('whatever an agent gets begins and ends within one window of the clock that decides', () => {
  fc.assert(
    fc.property(anyRestart, anyTime, fc.constantFrom(null, 'Europe/Berlin', 'nowhere'), (restart, at, reported) => {
      const window = restartWindowOf(restart, reported, at)
      const isLongEnough = restart.windows.some(({ durationMinutes }) => durationMinutes >= restartMinutes(restart))
      expect(window !== undefined).toBe(isLongEnough)
      if (!window) return
      const { from, until, userDeadline } = restartTermsIn(restart, window)
      expect(from.getTime()).toBeGreaterThanOrEqual(at.getTime())
      expect(until.getTime()).toBeGreaterThanOrEqual(from.getTime())
      expect(until.getTime() + restartMinutes(restart) * minuteMs).toBe(window.closesAt.getTime())
      if (userDeadline) expect(Date.parse(userDeadline.latestUtc ?? '')).toBeLessThan(until.getTime())
      const zone = restart.timeZone ?? (reported === 'Europe/Berlin' ? reported : 'UTC')
      const isOfWindow = restart.windows.some(({ days, start, durationMinutes }) => {
        const opened = new Date(window.closesAt.getTime() - durationMinutes * minuteMs)
        const [hours = 0, minutes = 0] = start.split(':').map(Number)
        const local = localTime(opened, zone)
        // What would begin in an hour that clocks skip begins after it.
        const isStart = (local.minutes - hours * 60 - minutes + 1440) % 1440 <= 60
        return isStart && days.some((day) => day === local.day) && opened <= from
      })
      expect(isOfWindow).toBe(true)
    }),
  )
})

test('the clock of the computer decides unless the policy names a time zone', () => {
  const windows = [{ days: [...weekdays], start: '22:00', durationMinutes: 120 }]
  const restart = { windows, timeZone: null, timeoutMinutes: -1, reminderMinutes: 10, userDeadline: null }
  const at = new Date('2026-07-01T21:00:00Z')

  expect(restartWindowOf(restart, 'Europe/Berlin', at)).toEqual({
    opensAt: at,
    closesAt: new Date('2026-07-01T22:00:00Z'),
  })
  expect(restartWindowOf(restart, null, at)?.opensAt).toEqual(new Date('2026-07-01T22:00:00Z'))
  expect(restartWindowOf({ ...restart, timeZone: 'America/New_York' }, 'Europe/Berlin', at)?.opensAt).toEqual(
    new Date('2026-07-02T02:00:00Z'),
  )
})
