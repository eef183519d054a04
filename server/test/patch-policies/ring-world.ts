import { type RawBuilder, sql } from 'kysely'
import { listPatchPolicyProgress } from '../../src/features/patch-policies/api/list-patch-policy-progress.ts'
import { pausePatchOfPolicy } from '../../src/features/patch-policies/api/pause-patch-of-policy.ts'
import { resumePatchOfPolicy } from '../../src/features/patch-policies/api/resume-patch-of-policy.ts'
import { stopPatchOfPolicy } from '../../src/features/patch-policies/api/stop-patch-of-policy.ts'
import { continuePatchRings } from '../../src/features/patch-policies/continue-rings.ts'
import { recordPatchCounts } from '../../src/features/patches/patch-counts.ts'
import type { GivenPatchRing } from '../../src/features/patches/policies/patch-rings.ts'
import { recordRulingsOfPatches } from '../../src/features/patches/policies/rulings.ts'
import { openPolicyWorld } from './policy-world.ts'

type Computer = { id: number }
type ScannedPatch = Awaited<ReturnType<Awaited<ReturnType<typeof openPolicyWorld>>['critical']>>

/** The service, with helpers for the rings of patch policies. */
export async function openRingWorld() {
  const world = await openPolicyWorld()
  const { as, db, given, fleet, critical, policy, listPatchIdsToFix } = world
  const approver = as('pm.approve', 'pm.read')

  const operations = { pause: pausePatchOfPolicy, resume: resumePatchOfPolicy, stop: stopPatchOfPolicy }

  /** What the periodic task does, after a count of the fleet. Returns how many patches it moved or paused. */
  async function tick(): Promise<number> {
    await db.transaction().execute(recordPatchCounts)
    return continuePatchRings(db)
  }

  const seen = async (computers: readonly Computer[], at: Date | RawBuilder<Date> = sql`now()`) => {
    for (const { id } of computers)
      await sql`
        insert into computer_contacts (computer_id, last_seen_at) values (${id}, ${at})
        on conflict on constraint computer_contacts_pkey do update set last_seen_at = excluded.last_seen_at`.execute(db)
  }

  return {
    ...world,
    tick,
    seen,

    /** A fleet with a pilot group, a policy with rings, and a patch that all computers lack. */
    async ringFleet({
      pilots = 2,
      others = 3,
      rings = (pilot: string): GivenPatchRing[] => [{ name: 'Pilot', groupId: pilot }, { name: 'Everybody' }],
    } = {}) {
      const made = await fleet({ computers: pilots + others })
      const pilotGroup = await given.group({ tree: 'AssignmentGroups' })
      const pilot = made.computers.slice(0, pilots)
      for (const computer of pilot) await given.member(pilotGroup, computer)
      const patch = await critical(3)
      const policyMade = await policy([{ action: 'Approve' }], [made.group], { rings: rings(pilotGroup.id) })
      await seen(made.computers)
      for (const computer of made.computers) await given.patchScan(computer, [patch.missing])
      return { ...made, policy: policyMade, patch, pilotGroup, pilots: pilot, rest: made.computers.slice(pilots) }
    },

    /** A patch that becomes known after the policies. */
    async laterPatch() {
      const patch = await critical(3)
      await recordRulingsOfPatches(db, [patch.id])
      return patch
    },

    /** Those of the computers to which the patch is released now. */
    async released(computers: readonly Computer[], patch: { id: number }): Promise<number[]> {
      const found = []
      for (const computer of computers)
        if ((await listPatchIdsToFix(computer)).includes(patch.id)) found.push(computer.id)
      return found
    },

    async install(computers: readonly Computer[], patch: ScannedPatch) {
      await seen(computers)
      for (const computer of computers) await given.patchScan(computer, [patch.installed])
    },

    /** A deployment of a package that failed just now. */
    async fail(computers: readonly Computer[], made: { id: string }) {
      for (const { id } of computers)
        await sql`
          insert into deployments (computer_id, package_id, result, failed_at)
          values (${id}, ${made.id}, 'Failed', clock_timestamp())
          on conflict on constraint deployments_pkey do update set result = 'Failed', failed_at = clock_timestamp(), pending_since = null`.execute(
          db,
        )
    },

    /** Everything about rings, scans and contacts happened so much earlier. */
    async passHours(hours: number) {
      const by = sql`make_interval(hours => ${hours})`
      await sql`
        update patch_ring_progress set begun_at = begun_at - ${by}, opened_at = opened_at - ${by}, met_at = met_at - ${by},
          resumed_at = resumed_at - ${by}`.execute(db)
      await sql`update patch_scans set scanned_at = scanned_at - ${by}`.execute(db)
      await sql`update computer_contacts set last_seen_at = last_seen_at - ${by}`.execute(db)
      await sql`update deployments set failed_at = failed_at - ${by}`.execute(db)
    },

    async progress({ id }: { id: number }, query = {}) {
      const { body } = await approver.call(listPatchPolicyProgress, { params: { id }, query })
      return body.items
    },

    change(kind: keyof typeof operations, { id }: { id: number }, patch: { id: number }, body?: { reason: string }) {
      const input = { params: { id, patchId: patch.id }, ...(body && { body }) }
      return approver.call(operations[kind] as typeof pausePatchOfPolicy, input)
    },
  }
}
