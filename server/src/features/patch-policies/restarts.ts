import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { requireRole } from '../../platform/authentication/authenticate.ts'
import type { Caller } from '../../platform/authentication/caller.ts'
import type { Static } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'
import { powerDefaults } from '../deployments/power-settings.ts'
import { findTimeZone } from '../distribution/schedule.ts'
import { parseUserDeadline, toUserDeadline } from '../distribution/user-deadline.ts'
import { type PolicyRestart, restartMinutes } from '../hand-out/policy-restarts.ts'
import type { PatchRestart, RequestedRestart } from './api/restart-schemas.ts'

/** Checks what the schema cannot express, and fills in defaults. */
export function parsePolicyRestart(given: Static<typeof RequestedRestart>): PolicyRestart {
  const restart = {
    windows: given.windows,
    timeZone: given.timeZone == null ? null : parseRestartTimeZone(given.timeZone),
    timeoutMinutes: given.timeoutMinutes ?? powerDefaults.timeoutMinutes,
    reminderMinutes: given.reminderMinutes ?? powerDefaults.reminderMinutes,
    userDeadline: parseUserDeadline(given.userDeadline, 'restart.userDeadline'),
  }
  const needed = restartMinutes(restart)
  const short = restart.windows.findIndex(({ durationMinutes }) => durationMinutes < needed)
  if (short >= 0)
    throw invalidPart(
      'body',
      `restart.windows.${short}.durationMinutes`,
      `must be at least ${needed}, because a restart with these minutes may take that long`,
    )
  return restart
}

function parseRestartTimeZone(name: string): string {
  const timeZone = findTimeZone(name)
  if (timeZone === undefined)
    throw invalidPart('body', 'restart.timeZone', 'must be a time zone of the IANA database, such as Europe/Berlin')
  return timeZone
}

export const toRestartAnswer = (stored: PolicyRestart): Static<typeof PatchRestart> => ({
  ...stored,
  windows: stored.windows.map((window) => ({ ...window, days: [...window.days] })),
  userDeadline: toUserDeadline(stored.userDeadline),
})

/** Who may not restart computers must not do so by a policy. */
export const requireRestartRole = ({ principal }: Caller): void => requireRole(principal, 'reboot.execute')

/** The same for a policy that already exists. */
export async function requireRestartRoleFor(db: Database, policyId: number, caller: Caller): Promise<void> {
  const { rows } = await sql`
    select from patch_policies where id = ${policyId} and restart is not null`.execute(db)
  if (rows.length > 0) requireRestartRole(caller)
}

/** Whether this is a change of the restart of a policy. */
export async function changesRestart(db: Database, policyId: number, restart: PolicyRestart | null): Promise<boolean> {
  const { rows } = await sql`
    select from patch_policies
    where id = ${policyId} and restart is distinct from ${restart && JSON.stringify(restart)}::jsonb`.execute(db)
  return rows.length > 0
}
