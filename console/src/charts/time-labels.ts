const minuteSeconds = 60
const daySeconds = 24 * 60 * minuteSeconds

type TimeFormat = {
  day(milliseconds: number): string
  time(milliseconds: number): string
  timeWithSeconds(milliseconds: number): string
}

/**
 * The labels of a time axis. No label repeats the one before it: the day is named where it begins, and a
 * time is as exact as the steps of the axis are. All times are in seconds.
 */
export function timeLabels(times: readonly number[], stepSeconds: number, format: TimeFormat): string[] {
  const days = times.map((time) => format.day(time * 1_000))
  const isNewDay = (at: number) => days[at] !== days[at - 1]
  if (stepSeconds >= daySeconds) return days.map((day, at) => (isNewDay(at) ? day : ''))
  const timeOf = stepSeconds < minuteSeconds ? format.timeWithSeconds : format.time
  const hasManyDays = new Set(days).size > 1
  return times.map((time, at) => (hasManyDays && at > 0 && isNewDay(at) ? (days[at] ?? '') : timeOf(time * 1_000)))
}
