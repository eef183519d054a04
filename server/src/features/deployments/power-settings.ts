export const powerActions = ['Shutdown', 'Reboot', 'LogOff', 'None'] as const

/** What a computer does when its work is done, and how long a user who is logged on has. */
export type PowerSettings = {
  action: (typeof powerActions)[number]
  /** -1: at once, whoever is logged on. */
  timeoutMinutes: number
  reminderMinutes: number
}

export const powerDefaults = { timeoutMinutes: -1, reminderMinutes: 10 } as const
