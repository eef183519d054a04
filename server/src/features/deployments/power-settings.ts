import type { StoredUserDeadline } from '../distribution/user-deadline.ts'

export const powerActions = ['Shutdown', 'Reboot', 'LogOff', 'None'] as const

/** What a computer does after all other work, and how long a logged-on user has until then. */
export type PowerSettings = {
  action: (typeof powerActions)[number]
  /** -1: at once, even if a user is logged on. */
  timeoutMinutes: number
  reminderMinutes: number
  /** How long the person at the computer may delay it. Null: only the minutes count. */
  userDeadline: StoredUserDeadline | null
}

export const powerDefaults = { timeoutMinutes: -1, reminderMinutes: 10 } as const
