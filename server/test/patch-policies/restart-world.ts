import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { deletePatchPolicy } from '../../src/features/patch-policies/api/delete-patch-policy.ts'
import { removePatchPolicyAssignment } from '../../src/features/patch-policies/api/remove-patch-policy-assignment.ts'
import type { RequestedRestart } from '../../src/features/patch-policies/api/restart-schemas.ts'
import { updatePatchPolicy } from '../../src/features/patch-policies/api/update-patch-policy.ts'
import { requestRestartsForPolicies } from '../../src/features/patch-policies/request-restarts.ts'
import type { Static } from '../../src/platform/schema.ts'
import { type contact, openAgentWorld } from '../channels/agent/agent-world.ts'
import type { Json } from '../world/caller.ts'

export type GivenRestart = Json<Static<typeof RequestedRestart>>

const everyDay = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** A window that opens so many minutes from now, by the clock of UTC. */
export const windowIn = (minutes: number, durationMinutes = 240) => ({
  days: [...everyDay],
  start: new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16),
  durationMinutes,
})

/** Open for half an hour, and for three and a half hours more. */
export const openNow = (): GivenRestart => ({ windows: [windowIn(-30)] })
export const openTomorrow = (): GivenRestart => ({ windows: [windowIn(12 * 60)] })

/** The service with agents, and patch policies that restart them. */
export async function openRestartWorld() {
  const world = await openAgentWorld()
  const { as, agent, db, given } = world
  const approver = as('pm.approve', 'pm.read', 'reboot.execute')
  const rules = [{ name: 'All', action: 'Approve' as const }]

  async function policy(restart: GivenRestart | null, groups: readonly { id: string }[], priority = 100) {
    const name = `policy ${randomBytes(6).toString('hex')}`
    const { body } = await approver.call(createPatchPolicy, { body: { name, rules, restart, priority } })
    for (const { id } of groups)
      await approver.call(assignPatchPolicy, { params: { id: body.id }, body: { groupId: id } })
    return body
  }

  return {
    ...world,
    approver,
    policy,

    /** What the periodic task does. Returns how many restarts it requested or withdrew. */
    tick: () => requestRestartsForPolicies(db),

    /** An agent in a group, whose computer needs a restart, and a policy of the group. */
    async pendingAgent(restart: GivenRestart | null = openNow()) {
      const group = await given.group()
      const made = await agent()
      await given.member(group, made)
      const pending = (changes: Partial<ReturnType<typeof contact>> = {}) =>
        made.contact({ rebootRequired: true, rebootRequiredSource: 'linux-image', ...changes })
      await pending()
      return { ...made, group, policy: await policy(restart, [group]), pending }
    },

    change: (id: number, body: { description?: string; restart?: GivenRestart | null }) =>
      approver.call(updatePatchPolicy, { params: { id }, body }),
    unassign: (id: number, group: { id: string }) =>
      approver.call(removePatchPolicyAssignment, { params: { id, groupId: group.id } }),
    remove: (id: number) => approver.call(deletePatchPolicy, { params: { id } }),

    /** All restarts of a computer with their states, the first one first. */
    async restarts({ id }: { id: number }) {
      const { rows } = await sql<{ state: string; cancelReason: string | null; createdBy: string | null }>`
        select work.state, work.cancel_reason as "cancelReason", tasks.created_by as "createdBy"
        from work join tasks on tasks.id = work.task_id
        where work.computer_id = ${id} and work.kind = 'Power' order by work.id`.execute(db)
      return rows
    },

    /** The windows of all requests have ended a second ago. */
    async endWindows() {
      await sql`
        update work set window_ends_at = now() - interval '1 second',
          schedule = 'UNTIL=' || to_char(now() at time zone 'UTC' - interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        where restart_policy_id is not null and state in ('Due', 'Leased')`.execute(db)
    },
  }
}
