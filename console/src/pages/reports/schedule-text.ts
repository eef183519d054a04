import type { enReports } from '../../texts/en-reports.ts'
import type { ReportSchedule } from './reports.ts'

/** A schedule in words. */
export function scheduleText(texts: typeof enReports, schedule: ReportSchedule | null): string {
  if (schedule === null) return texts.frequencies.None
  const { frequency, time, timeZone } = schedule
  if (frequency === 'Daily') return texts.daily(time, timeZone)
  if (frequency === 'Weekly') return texts.weekly(texts.weekdays[schedule.weekday ?? 'Monday'], time, timeZone)
  return texts.monthly(schedule.dayOfMonth ?? 1, time, timeZone)
}
