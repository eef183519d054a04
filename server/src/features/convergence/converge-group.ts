import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { tryLockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { Problem } from '../../platform/problem.ts'
import { appendAuditEntry } from '../audit/audit-trail.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import { pinScopeGroups } from '../deployments/activation/activation-scope.ts'
import type { Rollout } from '../rollouts/rollout-record.ts'
import { waveScope } from '../rollouts/rollout-scope.ts'
import { compareMembers, type MissingWork } from './compare-members.ts'
import { comparisonInterval, settingColumns } from './settings.ts'
import { listOpenWaves, startWaves, type WaveOwner, waveCreator } from './start-waves.ts'
import { takeMarks } from './take-marks.ts'

export type WaveLimits = { maxRingPercent: number }

/** How many single computers are compared at once. */
const maxSingleComputers = 5_000

const lockTimeoutMs = 2_000

/** The steps below. Waves stay open while computers are away, and each costs something whenever rollouts are continued. */
const [someOpenWaves, manyOpenWaves] = [5, 50]

const openWaves = sql<number>`(
  select count(*) from rollouts where is_wave and group_id = owner.group_id and ended_at is null)`

/**
 * The shortest time between two waves of a group: changes that follow each other share one. They come less often while several are
 * open, but still within two minutes, and much less often after a problem and while very many are open.
 */
const pauseAfterWave = sql`
  case when owner.problem_code is not null or ${openWaves} >= ${sql.lit(manyOpenWaves)} then interval '10 minutes'
    when ${openWaves} >= ${sql.lit(someOpenWaves)} then interval '90 seconds' else interval '30 seconds' end`

const isMarked = sql<boolean>`(
  owner.marked_at is not null or owner.compared_at is null or owner.compared_at < now() - ${comparisonInterval}
  or exists (select from convergence_computers listed where listed.group_id = owner.group_id))`

/** Lists the groups whose members have to be compared now. Empty while the installation is frozen. */
export async function listMarkedGroups(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select owner.group_id as id from group_convergence owner
    where owner.is_on and not ${isFrozen} and ${isMarked}
      and (owner.wave_at is null or owner.wave_at < now() - ${pauseAfterWave})
    order by owner.wave_at nulls first, owner.group_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Finds out what changes concern. One node at a time. */
export async function takeAllMarks(db: Database, signal?: AbortSignal): Promise<void> {
  const { rows } = await sql`select from convergence_marks limit 1`.execute(db)
  for (let mayHaveMore = rows.length > 0; mayHaveMore && !signal?.aborted; )
    mayHaveMore = await db.transaction().execute(async (tx) => (await prepare(tx)) && takeMarks(tx))
}

async function prepare(tx: Database): Promise<boolean> {
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
  return tryLockForTransaction(tx, 'convergence')
}

/**
 * Compares members of a group with what is assigned to them, and starts the waves that bring what is missing. One transaction,
 * on one node at a time. Returns the number of computers in the waves.
 */
export async function convergeGroup(db: Database, groupId: string, limits: WaveLimits): Promise<number> {
  try {
    return await db.transaction().execute(async (tx) => {
      const owner = (await prepare(tx)) ? await findMarkedOwner(tx, groupId) : undefined
      return owner ? startWavesOf(tx, owner, limits) : 0
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Shown with the setting. The change waits, and is tried again from time to time.
    await sql`
      update group_convergence set problem_code = ${error.kind.code}, wave_at = now() where group_id = ${groupId}`.execute(
      db,
    )
    return 0
  }
}

type MarkedOwner = WaveOwner & { computerIds: number[] | null }

/** With the single computers that are to be compared; null: all members. */
async function findMarkedOwner(db: Database, groupId: string): Promise<MarkedOwner | undefined> {
  const { rows } = await sql<MarkedOwner>`
    select ${settingColumns('owner')}, groups.name as "groupName",
      case when owner.marked_at is null and owner.compared_at > now() - ${comparisonInterval} then array(
        select computer_id from convergence_computers where group_id = ${groupId}
        order by computer_id limit ${maxSingleComputers}) end as "computerIds"
    from group_convergence owner join groups on groups.id = owner.group_id
    where owner.group_id = ${groupId} and owner.is_on and not ${isFrozen} and ${isMarked}`.execute(db)
  return rows[0]
}

async function startWavesOf(db: Database, owner: MarkedOwner, { maxRingPercent }: WaveLimits): Promise<number> {
  const { groupId, computerIds } = owner
  const open = await listOpenWaves(db, groupId)
  if (open.some(({ isWaiting }) => isWaiting)) return 0
  const scope = waveScope(groupId, computerIds ?? undefined)
  await pinScopeGroups(db, scope)
  const found = await compareMembers(db, groupId, scope)
  // Another wave with removals would wait for the same person.
  const missing = open.some(({ needsApproval }) => needsApproval) ? withoutRemovals(found) : found
  const isMissing = missing.computerIds.length + missing.removalComputerIds.length > 0
  await recordComparison(db, owner, isMissing)
  if (!isMissing) return 0
  const waves = await startWaves(db, owner, missing, { maxRingPercent, isLastOfSiteAllowed: false })
  for (const wave of waves) await auditWave(db, wave)
  return waves.reduce((total, wave) => total + countComputers(wave), 0)
}

const withoutRemovals = (missing: MissingWork): MissingWork => ({
  ...missing,
  ...{ removalComputerIds: [], removalPackageIds: [], removalLines: [], removalChanges: [] },
})

async function recordComparison(
  db: Database,
  { groupId, computerIds }: MarkedOwner,
  isMissing: boolean,
): Promise<void> {
  const isAll = computerIds === null
  await sql`
    update group_convergence set problem_code = null,
      marked_at = case when ${isAll}::boolean then null else marked_at end,
      compared_at = case when ${isAll}::boolean then now() else compared_at end,
      wave_at = case when ${isMissing}::boolean then now() else wave_at end
    where group_id = ${groupId}`.execute(db)
  await sql`
    delete from convergence_computers
    where group_id = ${groupId} and (${isAll}::boolean or computer_id = any(${computerIds ?? []}::integer[]))`.execute(
    db,
  )
}

const countComputers = ({ rings }: Rollout) => rings.reduce((total, { counts }) => total + (counts.total ?? 0), 0)

/** Call it last: it locks the audit trail. */
async function auditWave(db: Database, wave: Rollout): Promise<void> {
  await appendAuditEntry(db, {
    principal: waveCreator,
    operation: { id: 'convergeGroup', body: null },
    target: `/api/rollouts/${wave.id}`,
    query: {},
    body: {
      groupId: wave.groupId,
      computers: countComputers(wave),
      ...(wave.expectedComputers !== null && { expectedComputers: wave.expectedComputers }),
      ...(wave.pause && { waitsFor: wave.pause.code }),
    },
    concealed: [],
    status: 200,
    requestId: randomUUID(),
  })
}
