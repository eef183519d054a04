import { randomBytes } from 'node:crypto'
import type { Database } from '../../src/database/connect.ts'

export const restartOnSundays = { windows: [{ days: ['Sun' as const], start: '02:00', durationMinutes: 60 }] }

/** A patch policy of a group that restarts its computers on Sundays. A request with the same restart needs no right to restart computers. */
export async function restartingPolicy(db: Database, group: { id: string }): Promise<{ id: number; name: string }> {
  const restart = { timeZone: null, timeoutMinutes: -1, reminderMinutes: 10, userDeadline: null, ...restartOnSundays }
  const name = `policy ${randomBytes(6).toString('hex')}`
  const { id } = await db
    .insertInto('patch_policies')
    .values({ name, rules: '[]', restart: JSON.stringify(restart) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('patch_policy_assignments').values({ policy_id: id, group_id: group.id }).execute()
  return { id, name }
}
