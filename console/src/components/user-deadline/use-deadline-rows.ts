import { useDeadlineTexts } from '../../texts/deadline-texts.ts'
import { useFormat } from '../../texts/format.ts'
import type { UserDeadline } from './user-deadline.ts'

/** A deadline as facts: none if there is no deadline. */
export function useDeadlineRows(deadline: UserDeadline | null): (readonly [string, string | null])[] {
  const deadlines = useDeadlineTexts()
  const format = useFormat()
  if (!deadline) return []
  const { afterHours, latestUtc, quietHours, closePrograms } = deadline
  const ends = [
    afterHours === null ? null : deadlines.inHours(afterHours),
    latestUtc && deadlines.latest(format.dateTime(latestUtc)),
  ]
  const programs = `${closePrograms.join(', ')} (${deadlines.notice(deadline.noticeMinutes)})`
  return [
    [deadlines.ends, ends.filter(Boolean).join(', ')],
    [deadlines.postponements, format.number(deadline.maxPostponements)],
    [deadlines.quietHours, quietHours && `${quietHours.start} – ${quietHours.end}`],
    [deadlines.programs, closePrograms.length > 0 ? programs : null],
  ]
}
