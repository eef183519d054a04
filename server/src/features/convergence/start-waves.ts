import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { createRolloutRecord, type NewRollout } from '../rollouts/create-rollout-record.ts'
import type { GuardSettings } from '../rollouts/guard.ts'
import type { AutomaticPause } from '../rollouts/next-step.ts'
import { parseRings } from '../rollouts/parse-rings.ts'
import type { Rollout } from '../rollouts/rollout-record.ts'
import type { MissingWork } from './compare-members.ts'
import { findExceededExpectation, findExceededRemovals, type RemovalLimit } from './daily-limits.ts'
import type { ConvergenceSetting } from './settings.ts'

/** Who creates waves, as rollouts and the audit trail show it. */
export const waveCreator = { id: null, name: 'convergence of the group' }

export type WaveOwner = ConvergenceSetting & { groupName: string }

/**
 * Creates the waves that bring what is missing. Removals that need an approval are a wave of their own, which waits for it, so
 * they delay nothing else.
 */
export async function startWaves(
  db: Database,
  owner: WaveOwner,
  missing: MissingWork,
  guard: GuardSettings,
): Promise<Rollout[]> {
  const { computerIds, removalComputerIds, removalPackageIds } = missing
  const removals = { computerIds: removalComputerIds, packageIds: removalPackageIds }
  const exceeded = removalComputerIds.length > 0 ? await findExceededRemovals(db, owner, removalComputerIds) : undefined
  if (!exceeded)
    return create(db, owner, guard, {
      computerIds: [...computerIds, ...removalComputerIds],
      removals,
      pause: null,
      lines: [...missing.lines, ...missing.removalLines],
      changes: [...missing.changes, ...missing.removalChanges],
    })
  const { lines, changes } = missing
  const pause = pauseForRemovals(new Set(removalComputerIds).size, exceeded)
  const noRemovals = { computerIds: [], packageIds: [] }
  const others = await create(db, owner, guard, { computerIds, removals: noRemovals, pause: null, lines, changes })
  const removing = await create(db, owner, guard, {
    computerIds: removalComputerIds,
    removals,
    pause,
    lines: missing.removalLines,
    changes: missing.removalChanges,
  })
  return [...others, ...removing]
}

function pauseForRemovals(computers: number, { limit, withinHours }: RemovalLimit): AutomaticPause {
  const nothing = { ring: null, retried: null, exitCode: null, error: null, sinceUtc: null }
  return { ...nothing, code: 'Removals', computers, limit, withinHours, atUtc: new Date().toISOString() }
}

type Content = {
  computerIds: readonly number[]
  removals: NonNullable<NewRollout['limits']['removals']>
  pause: AutomaticPause | null
  lines: readonly string[]
  changes: readonly string[]
}

async function create(
  db: Database,
  owner: WaveOwner,
  guard: GuardSettings,
  { computerIds, removals, pause, lines, changes }: Content,
): Promise<Rollout[]> {
  const unique = [...new Set(computerIds)]
  if (unique.length === 0) return []
  const wave = await createRolloutRecord(
    db,
    {
      name: nameOf(owner),
      groupId: owner.groupId,
      packageId: null,
      isEmergency: false,
      criteria: owner.criteria,
      timeZone: owner.timeZone,
      deadlineAt: null,
      userDeadline: null,
      catchUpDays: 0,
      createdBy: waveCreator,
      limits: { removals, approvedContent: lines },
      rings: parseRings(owner.rings),
      wave: {
        computerIds: unique,
        changes,
        expectedComputers: (await findExceededExpectation(db, owner, unique)) ?? null,
        pause,
      },
    },
    guard,
  )
  return [wave]
}

const maxNameLength = 255

const nameOf = ({ groupName }: WaveOwner) => `Convergence of ${groupName}`.slice(0, maxNameLength)

/** Changes wait while a person has to look at a wave of the group, or has paused one. */
export async function listOpenWaves(db: Database, groupId: string) {
  const { rows } = await sql<{ id: string; isWaiting: boolean; needsApproval: boolean }>`
    select id, state = 'Paused' and pause ->> 'code' <> 'Removals'
        or expected_computers is not null and resumed_at <= created_at as "isWaiting",
      coalesce(pause ->> 'code' = 'Removals', false) as "needsApproval"
    from rollouts where is_wave and group_id = ${groupId} and ended_at is null and state <> 'Cancelled'
    order by created_at, id`.execute(db)
  return rows
}
