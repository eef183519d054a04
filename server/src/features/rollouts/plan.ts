import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { dueWork, isForPackage } from '../deployments/activation/due-work.ts'
import { asIfPublished } from '../deployments/activation/planned-removals.ts'
import { loadReachableOptions } from '../deployments/activation/reachable-options.ts'
import { isWithinLimits } from '../deployments/activation/stored-limits.ts'
import { fallbackTimeZone, findWindow } from '../hand-out/rollout-windows.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import type { Rollout, RolloutRing } from './rollout-record.ts'
import { scopeOf } from './rollout-scope.ts'
import { isChangeOf } from './wave-changes.ts'

/** Stores how much work each ring will create, and how many bytes its computers will download, as of now. */
export async function recordPlan(db: Database, rollout: Rollout): Promise<void> {
  const { id, packageId, isWave } = rollout
  const computers = sql<{ owner_id: number }>`
    select computer_id as owner_id from rollout_computers where rollout_id = ${id}`
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  const options = await loadReachableOptions(db, computers, rows[0]?.now ?? new Date())
  // As if all computers had been released.
  const activations = asIfPublished(scopeOf(rollout), 'software')
  await sql`
    with sizes as materialized (
      select package_id, sum(size) as bytes from package_files group by package_id
    ), planned as (
      select placed.ring, count(*) as work, coalesce(sum(sizes.bytes), 0) as bytes
      from (${dueWork('software', computers, options, activations, rollout)}) as due
        join rollout_computers placed on placed.rollout_id = ${id} and placed.computer_id = due.computer_id
        left join sizes on sizes.package_id = due.package_id
        left join work on work.computer_id = due.computer_id and work.package_id = due.package_id
          and work.package_id is not null and ${isOpenWork('work.state')}
      where work.id is null and ${packageId === null ? sql`true` : isForPackage(packageId)}
        ${isWave ? sql`and ${isWithinLimits(sql`rollouts where id = ${id}`)} and ${isChangeOf(id)}` : sql``}
      group by placed.ring
    )
    update rollout_rings set planned_work = planned.work, planned_bytes = planned.bytes
    from planned where rollout_rings.rollout_id = ${id} and rollout_rings.ring = planned.ring`.execute(db)
}

/** An agent asks for work once an hour unless its template gives another interval. */
const contactMinutes = 60

const addMinutes = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)

/**
 * When each ring will be done if all goes well: its computers are released, come for their work within an hour, wait for
 * a maintenance window, and the results have stayed good for long enough. A ring that is done has its real end.
 */
export function estimateEnds(rollout: Rollout, now: Date): Date[] {
  let from = now
  return rollout.rings.map((ring) => {
    if (ring.doneAt) return ring.doneAt
    const end = estimateEnd(rollout, ring, ring.openedAt ?? from)
    from = end > now ? end : now
    return from
  })
}

function estimateEnd({ criteria, timeZone, isEmergency, deadlineAt }: Rollout, ring: RolloutRing, opensAt: Date): Date {
  if (ring.criteriaMetAt) return addMinutes(ring.criteriaMetAt, criteria.soakMinutes)
  const gradual = addMinutes(opensAt, ring.releaseMinutes)
  const released = deadlineAt && deadlineAt < gradual ? (deadlineAt > opensAt ? deadlineAt : opensAt) : gradual
  const windows = isEmergency || (deadlineAt && deadlineAt <= released) ? [] : ring.windows
  const window = findWindow(windows, { timeZone: timeZone ?? fallbackTimeZone, at: released, limitMinutes: 0 })
  const starts = window.isOpen ? released : (window.opensAt ?? released)
  const inTime = deadlineAt && deadlineAt > released && deadlineAt < starts ? deadlineAt : starts
  return addMinutes(inTime, contactMinutes + criteria.soakMinutes)
}
