import { describe, expect, test } from 'vitest'
import {
  formatSchedule,
  nextStart,
  noSchedule,
  parseSchedule,
  ScheduleError,
  windowAt,
} from '../../src/features/distribution/schedule.ts'

const at = (text: string) => new Date(text)
const starts = (text: string, from: string, count: number) => {
  const schedule = parseSchedule(text)
  const found: (string | undefined)[] = []
  for (let moment = at(from); found.length < count; ) {
    const start = nextStart(schedule, moment)
    found.push(start?.toISOString())
    if (!start) break
    moment = new Date(start.getTime() + 1)
  }
  return found
}

test('an empty text means no schedule, and no schedule is formatted as an empty text', () => {
  for (const text of ['', ' ', ';', ' ; ;']) expect(parseSchedule(text)).toEqual(noSchedule)
  expect(formatSchedule(noSchedule)).toBe('')
})

test('the parts of a schedule are read in any order and case, and formatted in one', () => {
  const schedule = parseSchedule(
    ' until=2026-04-01T00:00:00 ; Duration = 90;tz=europe/berlin;CRON=0  22 * * sat;FROM=2026-03-01T01:00:00+01:00;',
  )

  expect(schedule).toEqual({
    from: at('2026-03-01T00:00:00Z'),
    until: at('2026-04-01T00:00:00Z'),
    cron: '0 22 * * SAT',
    timeZone: 'Europe/Berlin',
    durationMinutes: 90,
  })
  const written = formatSchedule(schedule)
  expect(written).toBe(
    'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=90;FROM=2026-03-01T00:00:00.000Z;UNTIL=2026-04-01T00:00:00.000Z',
  )
  expect(parseSchedule(written)).toEqual(schedule)
})

test('the default time zone of a schedule is UTC', () => {
  expect(parseSchedule('CRON=0 22 * * *;DURATION=60').timeZone).toBe('UTC')
})

describe('nextStart', () => {
  test('windows open at the same local time in summer and in winter', () => {
    expect(starts('CRON=0 22 * * *;TZ=Europe/Berlin;DURATION=60', '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-28T21:00:00.000Z',
      '2026-03-29T20:00:00.000Z',
    ])
  })

  test('a window opens an hour later in a night without its hour, and once in a night with its hour twice', () => {
    const nightly = 'CRON=30 2 * * *;TZ=Europe/Berlin;DURATION=60'

    expect(starts(nightly, '2026-03-29T00:00:00Z', 2)).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'])
    expect(starts(nightly, '2026-10-25T00:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
  })

  test('windows can open on the second Tuesday or the last Friday of a month', () => {
    expect(starts('CRON=0 20 * * TUE#2;DURATION=60', '2026-03-01T00:00:00Z', 1)).toEqual(['2026-03-10T20:00:00.000Z'])
    expect(starts('CRON=0 20 * * 5L;DURATION=60', '2026-03-01T00:00:00Z', 1)).toEqual(['2026-03-27T20:00:00.000Z'])
  })

  test('a window that opens at exactly the given time is found', () => {
    expect(starts('CRON=0 20 * * THU;DURATION=60', '2026-03-12T20:00:00Z', 1)).toEqual(['2026-03-12T20:00:00.000Z'])
  })

  test('windows open neither before FROM nor at or after UNTIL', () => {
    const text = 'CRON=0 12 * * *;DURATION=60;FROM=2026-03-02T12:00:00Z;UNTIL=2026-03-04T12:00:00Z'

    expect(starts(text, '2026-01-01T00:00:00Z', 5)).toEqual([
      '2026-03-02T12:00:00.000Z',
      '2026-03-03T12:00:00.000Z',
      undefined,
    ])
  })

  test('without a pattern a schedule opens once, at FROM', () => {
    expect(starts('FROM=2026-03-02T12:00:00Z', '2026-01-01T00:00:00Z', 5)).toEqual([
      '2026-03-02T12:00:00.000Z',
      undefined,
    ])
    expect(starts('UNTIL=2026-03-02T12:00:00Z', '2026-01-01T00:00:00Z', 5)).toEqual([undefined])
  })
})

describe('windowAt', () => {
  const nightly = 'CRON=0 22 * * *;DURATION=180'
  const bounded = `${nightly};FROM=2026-03-02T22:00:00Z;UNTIL=2026-03-03T23:00:00Z`

  test.each([
    { text: '', when: '2026-03-02T12:00:00Z', start: '2026-03-02T12:00:00Z', end: null },
    { text: 'FROM=2026-03-03T00:00:00Z', when: '2026-03-02T12:00:00Z', start: '2026-03-03T00:00:00Z', end: null },
    {
      text: 'UNTIL=2026-03-03T00:00:00Z',
      when: '2026-03-02T12:00:00Z',
      start: '2026-03-02T12:00:00Z',
      end: '2026-03-03T00:00:00Z',
    },
    { text: nightly, when: '2026-03-02T12:00:00Z', start: '2026-03-02T22:00:00Z', end: '2026-03-03T01:00:00Z' },
    { text: nightly, when: '2026-03-02T22:00:00Z', start: '2026-03-02T22:00:00Z', end: '2026-03-03T01:00:00Z' },
    { text: nightly, when: '2026-03-03T00:59:59Z', start: '2026-03-03T00:59:59Z', end: '2026-03-03T01:00:00Z' },
    { text: nightly, when: '2026-03-03T01:00:00Z', start: '2026-03-03T22:00:00Z', end: '2026-03-04T01:00:00Z' },
    { text: bounded, when: '2026-03-01T23:00:00Z', start: '2026-03-02T22:00:00Z', end: '2026-03-03T01:00:00Z' },
    { text: bounded, when: '2026-03-03T12:00:00Z', start: '2026-03-03T22:00:00Z', end: '2026-03-03T23:00:00Z' },
  ])('the window of "$text" at $when is from $start to $end', ({ text, when, start, end }) => {
    expect(windowAt(parseSchedule(text), at(when))).toEqual({ start: at(start), end: end === null ? null : at(end) })
  })

  test.each([
    { text: 'UNTIL=2026-03-03T00:00:00Z', when: '2026-03-03T00:00:00Z' },
    { text: bounded, when: '2026-03-03T23:30:00Z' },
    { text: bounded, when: '2026-03-09T12:00:00Z' },
  ])('"$text" has no window at $when or later', ({ text, when }) => {
    expect(windowAt(parseSchedule(text), at(when))).toBeNull()
  })
})

test.each([
  'tomorrow',
  'CRON',
  'CRON=',
  'WHEN=0 22 * * *',
  'FROM=yesterday',
  'FROM=2026-02-30T00:00:00Z',
  'FROM=2026-03-02T00:00:00Z;FROM=2026-03-03T00:00:00Z',
  'FROM=2026-03-02T00:00:00Z;UNTIL=2026-03-02T00:00:00Z',
  'TZ=Europe/Berlin',
  'DURATION=60',
  'CRON=0 22 * * *',
  'CRON=0 22 * * *;DURATION=4',
  'CRON=0 22 * * *;DURATION=1441',
  'CRON=0 22 * * *;DURATION=60.5',
  'CRON=0 22 * * *;DURATION=60;TZ=Mars/Olympus',
  'CRON=0 22 * * *;DURATION=60;TZ=',
  'CRON=0 22 * *;DURATION=60',
  'CRON=0 0 22 * * *;DURATION=60',
  'CRON=60 22 * * *;DURATION=60',
  'CRON=H 22 * * *;DURATION=60',
  'CRON=@daily;DURATION=60',
  'CRON=0 0 30 2 *;DURATION=60',
  'CRON=0 0 1 1 *;DURATION=60;FROM=2026-03-01T00:00:00Z;UNTIL=2026-04-01T00:00:00Z',
])('%s is not a valid schedule', (text) => {
  expect(() => parseSchedule(text)).toThrow(ScheduleError)
})
