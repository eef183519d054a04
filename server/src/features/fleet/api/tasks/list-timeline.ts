import type { Database } from '../../../../database/connect.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf, type Static } from '../../../../platform/schema.ts'
import { toSummary } from '../../../rollouts/rollout-answer.ts'
import { listRolloutRecords } from '../../../rollouts/rollout-record.ts'
import { type TimelineState, timelineEntries, timelineFilters } from '../../tasks/task-list.ts'
import { listTasksWithProgress } from '../../tasks/task-progress.ts'
import { TimelineEntry } from './schemas.ts'

type Entry = Static<typeof TimelineEntry>

export const listTimeline = operation({
  id: 'listTimeline',
  route: 'GET /api/fleet/timeline',
  summary: 'List rollouts and tasks together, newest first',
  description:
    'With the progress of each: of a rollout by computers, of a task by work items. Tasks by which a rollout released ' +
    'computers are part of the rollout and not listed.',
  role: 'computer.read',
  extension: true,
  query: closed({ ...paging, ...timelineFilters }),
  returns: ok(pagedResultOf(TimelineEntry)),
  async handle(call) {
    const { db, query, caller } = call
    const filter = { ...query, ...(query.mine && { creatorId: caller.principal.id }) }
    const page = await pageOf(call, timelineEntries(db, filter), { columns: ['createdAtUtc', 'id'], descending: true })
    const idsOf = (isRollout: boolean) =>
      page.items.filter((entry) => entry.isRollout === isRollout).map(({ id }) => id)
    const found = [...(await listRolloutEntries(db, idsOf(true))), ...(await listTaskEntries(db, idsOf(false)))]
    const byId = new Map(found.map((entry) => [entry.id, entry]))
    return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) }
  },
})

async function listRolloutEntries(db: Database, ids: readonly string[]): Promise<Entry[]> {
  if (ids.length === 0) return []
  const now = new Date()
  const rollouts = (await listRolloutRecords(db, ids)).map((rollout) => toSummary(rollout, now))
  return rollouts.map((rollout) => ({
    id: rollout.rolloutId,
    kind: 'Rollout',
    state: toState(rollout.state),
    name: rollout.name,
    clientId: null,
    hostname: null,
    groupId: rollout.groupId,
    groupPath: rollout.groupPath,
    packageId: rollout.packageId,
    packageName: rollout.packageName,
    createdBy: rollout.createdBy,
    createdAtUtc: rollout.createdAtUtc,
    endedAtUtc: rollout.endedAtUtc,
    total: rollout.computerCount,
    open: countOpen(rollout),
    retrying: rollout.retryingCount,
    succeeded: rollout.succeededCount,
    failed: rollout.failedCount,
    cancelled: rollout.cancelledCount,
    nothingDue: rollout.nothingDueCount,
    pause: rollout.pause,
    openRing: rollout.openRing,
    ringCount: rollout.ringCount,
  }))
}

const countOpen = (rollout: ReturnType<typeof toSummary>) =>
  rollout.computerCount -
  rollout.succeededCount -
  rollout.failedCount -
  rollout.cancelledCount -
  rollout.nothingDueCount

function toState(state: string): TimelineState {
  if (state === 'Completed') return 'Finished'
  return state === 'Paused' || state === 'Cancelled' ? state : 'Running'
}

async function listTaskEntries(db: Database, ids: readonly string[]): Promise<Entry[]> {
  if (ids.length === 0) return []
  const states = { 1: 'Running', 2: 'Finished', 3: 'Failed' } as const
  return (await listTasksWithProgress(db, ids)).map(
    ({ trackingId, type, status, finishedAtUtc, rolloutId: _, rolloutName: __, ...task }) => ({
      ...task,
      id: trackingId,
      kind: type,
      state: states[status],
      name: null,
      endedAtUtc: finishedAtUtc,
      retrying: null,
      nothingDue: 0,
      pause: null,
      openRing: null,
      ringCount: null,
    }),
  )
}
