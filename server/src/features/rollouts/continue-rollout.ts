import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { cancelWorkCtes } from '../work-states/cancel-work.ts'
import { workLockOrder } from '../work-states/work-states.ts'
import { recordCounts, toFacts } from './evaluate.ts'
import { nextStep, type RolloutStep } from './next-step.ts'
import { observations } from './observe.ts'
import { releaseSlice } from './release.ts'
import { insertRolloutComputers, listCandidates } from './rollout-computers.ts'
import {
  getRolloutRecord,
  listRolloutRecords,
  type Rollout,
  tryLockRollout,
  tryLockRolloutRow,
} from './rollout-record.ts'
import { scopeOf } from './rollout-scope.ts'

/**
 * Does everything that is due for a rollout, in short transactions. Several nodes may call it at the same time: each
 * transaction locks the rollout, and those that find it locked leave it to the other node. If a node ends halfway, the
 * next call continues. Returns the number of computers that it released.
 */
export async function continueRollout(db: Database, id: string, signal?: AbortSignal): Promise<number> {
  let released = 0
  if (!(await prepare(db, id))) return 0
  for (let isMoving = true; isMoving && !signal?.aborted; ) {
    for (let slice = 1; slice > 0 && !signal?.aborted; released += slice) slice = await releaseSlice(db, id)
    isMoving = !signal?.aborted && (await evaluate(db, id))
  }
  return released
}

/** Cancels what a cancelled rollout has left, or adds the computers that have joined the group. Waves and rollbacks keep theirs. */
async function prepare(db: Database, id: string): Promise<boolean> {
  if (await cancelWaitingWork(db, id)) await observe(db, id)
  return db.transaction().execute(async (tx) => {
    const rollout = await tryLockRollout(tx, id)
    if (!rollout) return false
    if (rollout.state === 'Cancelled') {
      await endCancelled(tx, rollout)
      return false
    }
    if (!(await hasTarget(tx, rollout))) {
      await sql`update rollouts set state = 'Cancelled', pause = null where id = ${id}`.execute(tx)
      return false
    }
    if (!rollout.isWave && rollout.rolledBackPackageId === null) await joinComputers(tx, rollout)
    return true
  })
}

/** Whether the group and the package of the rollout still exist. A wave also ends with the setting that began it. */
async function hasTarget(db: Database, { groupId, packageId, isWave }: Rollout): Promise<boolean> {
  const { rows } = await sql`
    select where exists (select from groups where id = ${groupId})
      and (not ${isWave}::boolean or exists (select from group_convergence where group_id = ${groupId} and is_on))
      and (${packageId}::uuid is null or exists (select from packages where id = ${packageId}))`.execute(db)
  return rows.length > 0
}

async function joinComputers(db: Database, rollout: Rollout): Promise<void> {
  const groupIds = rollout.rings.flatMap(({ rule }) => (rule.kind === 'Group' ? [rule.groupId] : []))
  const { computers } = scopeOf(rollout)
  await insertRolloutComputers(
    db,
    rollout.id,
    await listCandidates(db, { id: rollout.id, computers }, groupIds),
    rollout.rings,
  )
}

const maxCancelledComputers = 500

/** Cancels waiting work of a cancelled rollout. Work that an agent has continues. Returns whether the rollout is cancelled. */
async function cancelWaitingWork(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from rollouts where id = ${id} and state = 'Cancelled' and ended_at is null`.execute(db)
  if (rows.length === 0) return false
  while (await cancelSlice(db, id));
  return true
}

/** Returns whether more may be left. */
async function cancelSlice(db: Database, id: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const rollout = await tryLockRollout(tx, id)
    if (rollout?.state !== 'Cancelled') return false
    const computers = await pinComputersOfWaitingWork(tx, id)
    const { rows } = await sql<{ count: number }>`
      with obsolete as materialized (
        select id from work where rollout_id = ${id} and computer_id = any(${computers}::integer[]) and state = 'Due'
        order by ${workLockOrder('work')} for update
      ), ${cancelWorkCtes(sql`select id from obsolete`, { reason: 'RolloutCancelled' })}
      select count(*)::integer as count from cancelled`.execute(tx)
    return (rows[0]?.count ?? 0) > 0
  })
}

/** Ends a cancelled rollout, unless an agent may still report what it has begun. */
async function endCancelled(db: Database, rollout: Rollout): Promise<void> {
  await recordCounts(db, rollout)
  await sql`
    update rollouts set ended_at = now()
    where id = ${rollout.id} and not exists (
      select from work where rollout_id = ${rollout.id} and closed_at is null offset 0)`.execute(db)
}

/** Computers are locked before everything that belongs to them. */
async function pinComputersOfWaitingWork(db: Database, id: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from computers
    where id in (
      select distinct computer_id from work where rollout_id = ${id} and state = 'Due'
      order by computer_id limit ${maxCancelledComputers})
    order by id for key share`.execute(db)
  return rows.map((row) => row.id)
}

/** An observation needs nothing of the rollout but its criteria, which need not be those of this moment. */
async function observe(db: Database, id: string): Promise<void> {
  const [rollout] = await listRolloutRecords(db, [id])
  if (!rollout) return
  for (const record of observations)
    await db.transaction().execute(async (tx) => {
      if (await tryLockRolloutRow(tx, id)) await record(tx, rollout)
    })
}

/** Counts results and takes the steps that follow from them. Returns whether computers may be released after it. */
async function evaluate(db: Database, id: string): Promise<boolean> {
  await observe(db, id)
  return db.transaction().execute(async (tx) => {
    const rollout = await tryLockRollout(tx, id)
    if (!rollout || rollout.state === 'Cancelled') return false
    await recordCounts(tx, rollout)
    if (rollout.state === 'Paused') return false
    const { rows } = await sql<{ now: Date }>`select now()`.execute(tx)
    const now = rows[0]?.now ?? new Date()
    for (;;) {
      const step = nextStep(toFacts(await getRolloutRecord(tx, id), now))
      if (step.kind === 'Wait') return false
      await changesOf(id, step).execute(tx)
      if (step.kind === 'Pause' || step.kind === 'Complete') return false
      if (step.kind === 'OpenRing') return true
    }
  })
}

/** The statement that carries out a step. */
function changesOf(id: string, step: Exclude<RolloutStep, { kind: 'Wait' }>): RawBuilder<unknown> {
  const ofRing = (changes: RawBuilder<unknown>) =>
    sql`update rollout_rings set ${changes} where rollout_id = ${id} and ring = ${'ring' in step ? step.ring : 0}`
  const ofRollout = (changes: RawBuilder<unknown>) => sql`update rollouts set ${changes} where id = ${id}`
  switch (step.kind) {
    case 'Pause':
      return ofRollout(sql`state = 'Paused', pause = ${JSON.stringify(step.pause)}::jsonb`)
    case 'OpenRing':
      return ofRing(sql`state = 'Open', opened_at = now()`)
    case 'FinishRing':
      return ofRing(sql`state = 'Done', done_at = now(), criteria_met_at = coalesce(criteria_met_at, now())`)
    case 'StartSoak':
      return ofRing(sql`criteria_met_at = now()`)
    case 'RestartSoak':
      return ofRing(sql`criteria_met_at = null`)
    case 'StartCatchUp':
      return ofRollout(sql`state = 'CatchingUp', catch_up_until = now() + make_interval(days => catch_up_days)`)
    case 'Complete':
      return ofRollout(sql`state = 'Completed', ended_at = now()`)
  }
}
