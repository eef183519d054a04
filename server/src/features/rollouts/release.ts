import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { activate } from '../deployments/activation/activate.ts'
import { pinScopeGroups } from '../deployments/activation/activation-scope.ts'
import { isForPackage } from '../deployments/activation/due-work.ts'
import { isWithinLimits } from '../deployments/activation/stored-limits.ts'
import { isUnreleased } from './rollout-computers.ts'
import { type Rollout, type RolloutRing, tryLockRollout } from './rollout-record.ts'
import { scopeOf } from './rollout-scope.ts'
import { isChangeOf, isFixOf, isUntried } from './wave-changes.ts'

/** How many computers a transaction locks. Their contacts get no work while it runs. */
const maxComputersPerSlice = 500

type Slice = { first: number[]; retried: number[] }

/**
 * Creates the work of the next computers that are to be released now, and returns how many computers these are. Does
 * nothing while another node advances the rollout.
 */
export async function releaseSlice(db: Database, rolloutId: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const rollout = await tryLockRollout(tx, rolloutId)
    if (!rollout || !isReleasing(rollout)) return 0
    for (const ring of rollout.rings.filter(({ state }) => state !== 'Waiting')) {
      const slice = await findSlice(tx, rollout, ring)
      const computers = [...slice.first, ...slice.retried]
      if (computers.length === 0) continue
      await pinScopeGroups(tx, scopeOf(rollout, computers))
      if (slice.first.length > 0) await createWork(tx, rollout, slice.first, false)
      if (slice.retried.length > 0) await createWork(tx, rollout, slice.retried, true)
      await markReleased(tx, rolloutId, computers)
      return computers.length
    }
    return 0
  })
}

const isReleasing = ({ state }: Rollout) => state === 'Running' || state === 'CatchingUp'

/**
 * Retries come first. Others follow in the order of their positions, as many as the elapsed time allows; the first one at once.
 */
async function findSlice(db: Database, rollout: Rollout, ring: RolloutRing): Promise<Slice> {
  const { rows } = await sql<{ computer_id: number; is_retry: boolean }>`
    with budget as materialized (
      select count(*) filter (where state not in ('Waiting')) as released, count(*) as total
      from rollout_computers where rollout_id = ${rollout.id} and ring = ${ring.ring}
    ), candidate as (
      select computer_id, state = 'RetryRequested' as is_retry,
        row_number() over (partition by state order by position, computer_id) as place, position
      from rollout_computers
      where rollout_id = ${rollout.id} and ring = ${ring.ring} and ${isUnreleased('state')}
        ${rollout.rolledBackPackageId === null ? sql`` : sql`and not ${mayBeAtWork(rollout.rolledBackPackageId, rollout.packageId)}`}
    )
    select computer_id, is_retry from candidate, budget
    where is_retry or place <= greatest(1, ${releasableShare(rollout, ring)} * total) - released
    order by is_retry desc, position limit ${maxComputersPerSlice}`.execute(db)
  const idsOf = (isRetry: boolean) => rows.filter((row) => row.is_retry === isRetry).map((row) => row.computer_id)
  return { first: idsOf(false), retried: idsOf(true) }
}

/**
 * Whether the agent of a row of `rollout_computers` may be installing the version that is rolled back, or uninstalling the previous one
 * for it, although its work was withdrawn. What it reports decides whether there is anything to roll back. An agent that has not
 * reported after a day will not.
 */
const mayBeAtWork = (rolledBackId: string, previousId: string | null) => sql<boolean>`exists (
  select from work
  where work.computer_id = rollout_computers.computer_id
    and (work.package_id = ${rolledBackId} and work.kind <> 'Uninstall'
      or work.package_id = ${previousId}::uuid and work.kind = 'Uninstall')
    and work.closed_at > now() - interval '1 day' and work.state = 'Cancelled' and work.run_id is not null)`

/**
 * The share of a ring that may be released by now, from 0 to 1, as SQL. A ring that is done no longer delays those that
 * join it, and neither does any ring after the deadline.
 */
function releasableShare({ deadlineAt }: Rollout, { state, releaseMinutes, openedAt }: RolloutRing) {
  if (releaseMinutes === 0 || state === 'Done') return sql<number>`1`
  return sql<number>`case
    when ${deadlineAt}::timestamptz <= now() then 1
    else least(1, extract(epoch from now() - ${openedAt}::timestamptz) / ${releaseMinutes * 60})
    end`
}

async function createWork(db: Database, rollout: Rollout, computers: readonly number[], isRetry: boolean) {
  const { id, groupId, packageId, isWave } = rollout
  // A retry repeats the work that failed since the last release of the computer, and nothing else.
  const hasFailed = sql<boolean>`exists (
    select from work failed join rollout_computers released
      on released.rollout_id = failed.rollout_id and released.computer_id = failed.computer_id
    where failed.rollout_id = ${id} and failed.computer_id = due.computer_id and failed.package_id = due.package_id
      and failed.state = 'Failed' and failed.created_at >= released.released_at)`
  const isOfPackage = packageId === null ? undefined : isForPackage(packageId)
  const only = isRetry ? hasFailed : isOfPackage
  const isWithin = isWithinLimits(sql`rollouts where id = ${id}`)
  const isOfWave = sql<boolean>`${isWithin} and ${isChangeOf(id)}`
  await activate(db, {
    scope: scopeOf(rollout, computers),
    software: true,
    pxe: false,
    pull: false,
    wakeAt: null,
    srl: null,
    task: { kind: 'Activation', rolloutId: id, groupId, ...(packageId !== null && { packageId }) },
    rollout: { id, rolledBackPackageId: rollout.rolledBackPackageId },
    limit: {
      within: isWave ? (isRetry ? isOfWave : sql<boolean>`${isOfWave} and ${isUntried(rollout, computers)}`) : isWithin,
    },
    ...(isWave && { bound: { work: isChangeOf(id), fixes: isFixOf(id) } }),
    ...(only && { only }),
  })
}

async function markReleased(db: Database, rolloutId: string, computers: readonly number[]): Promise<void> {
  await sql`
    with slice as materialized (
      select released.computer_id, agents.boot_at
      from rollout_computers released left join agents on agents.computer_id = released.computer_id
      where released.rollout_id = ${rolloutId} and released.computer_id = any(${computers}::integer[])
      order by released.computer_id for no key update of released
    )
    update rollout_computers set state = 'Pending', released_at = now(), finished_at = null, failed_at = null,
      exit_code = null, cause = null, silent_at = null, boot_failed_at = null, boot_at = slice.boot_at, boots = 0
    from slice
    where rollout_computers.rollout_id = ${rolloutId} and rollout_computers.computer_id = slice.computer_id`.execute(db)
}
