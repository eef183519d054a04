import { invalidPart } from '../../platform/validation.ts'
import type { UserDeadline } from './api/user-deadline-schemas.ts'

/** How long the person at a computer may delay work, as the database stores it. */
export type StoredUserDeadline = Omit<UserDeadline, 'latestUtc'> & { latestUtc: string | null }

const hourMs = 3_600_000

/** Checks what the schema cannot express. Null: there is no deadline. `property` is where the body has it. */
export function parseUserDeadline(
  given: UserDeadline | null | undefined,
  property = 'userDeadline',
): StoredUserDeadline | null {
  if (given == null) return null
  const { afterHours, latestUtc, quietHours } = given
  // Otherwise open programs could delay the work forever.
  if (afterHours === null && latestUtc === null)
    throw invalidPart('body', property, 'must have afterHours or latestUtc')
  if (quietHours && quietHours.start === quietHours.end)
    throw invalidPart('body', `${property}.quietHours`, 'must start and end at different times')
  return { ...given, latestUtc: latestUtc?.toISOString() ?? null }
}

export function toUserDeadline(stored: StoredUserDeadline | null): UserDeadline | null {
  return stored && { ...stored, latestUtc: stored.latestUtc === null ? null : new Date(stored.latestUtc) }
}

/** From when on nothing of the person delays work that an agent first got at this time: the earlier of the two limits. */
export function deadlineOf({ afterHours, latestUtc }: StoredUserDeadline, firstLeasedAt: Date): Date {
  const limits = [
    ...(afterHours === null ? [] : [firstLeasedAt.getTime() + afterHours * hourMs]),
    ...(latestUtc === null ? [] : [Date.parse(latestUtc)]),
  ]
  return new Date(Math.min(...limits))
}
