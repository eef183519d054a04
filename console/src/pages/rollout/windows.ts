import type { RolloutTexts } from '../../texts/rollout-texts.ts'
import type { Ring, Rollout } from './describe.ts'

export type MaintenanceWindow = Ring['windows'][number]
export type Weekday = MaintenanceWindow['days'][number]

export const weekdays: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export const hasWindows = ({ rings }: Rollout) => rings.some(({ windows }) => windows.length > 0)

/** A maintenance window in words: "Sat, Sun from 22:00 for 4 hours". */
export function describeWindow(
  { days, start, durationMinutes }: MaintenanceWindow,
  { weekdays: names, window }: RolloutTexts['rollout'],
): string {
  const shown = weekdays.filter((day) => days.includes(day)).map((day) => names[day])
  return window(shown.join(', '), start, durationMinutes / 60)
}
