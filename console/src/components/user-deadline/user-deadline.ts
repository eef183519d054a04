import type { components } from '../../api/types.ts'

export type UserDeadline = components['schemas']['UserDeadline']

/** What is suggested when a deadline is switched on. */
export const firstDeadline: UserDeadline = {
  afterHours: 48,
  latestUtc: null,
  maxPostponements: 3,
  quietHours: null,
  closePrograms: [],
  noticeMinutes: 15,
}

/** Without an end, open programs could delay the work forever: the service refuses that. */
export function isDeadlineComplete(deadline: UserDeadline | null | undefined): boolean {
  if (!deadline) return true
  const { afterHours, latestUtc, quietHours } = deadline
  const isQuietComplete = !quietHours || (quietHours.start !== '' && quietHours.end !== '')
  return (afterHours !== null || latestUtc !== null) && isQuietComplete
}
