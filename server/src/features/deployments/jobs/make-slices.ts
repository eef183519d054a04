import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { findTransientReason } from '../../../jobs/transient-errors.ts'
import { listMembers } from '../activation/activation-scope.ts'
import { endSlicedActivation, lockNextSlice, publishSlice, recordSlice } from '../activation/sliced-activations.ts'

export type SliceContext = {
  db: Database
  logger: FastifyBaseLogger
  /** Whether other requests keep the database busy. Then slices leave it more time. */
  isBusy(): boolean
}

// The size of slices follows their duration: long enough to be worth their transaction, and short enough that others who
// need a row of their computers hardly wait.
const firstSize = 100
const maxSize = 1_000
/** Below, a slice would mostly plan its statements. */
const minSize = 50
const targetMilliseconds = 400
const lockTimeoutMs = 2_000

/** The pause after a slice, as a share of its duration. */
const pauseShare = { usual: 0.1, busy: 1 }

/** An error that is not a shortage may be one of the computers: after this many attempts, the activation fails. */
const maxFailures = 10

/**
 * Creates the work of accepted activations, in the order of the requests. Every node does so, one slice at a time on all of
 * them. A slice and the mark that it is done are one transaction: if a node is stopped, another one continues with the next.
 */
export function makeSlices(context: SliceContext): PeriodicTask {
  let size = firstSize
  return {
    name: 'create the work of large activations',
    intervalSeconds: 1,
    idleIntervalSeconds: 5,
    runsAtStart: true,
    async run(signal) {
      while (!signal.aborted) {
        const start = performance.now()
        if (!(await makeSlice(context, size))) break
        const duration = performance.now() - start
        size = nextSize(size, duration)
        const pause = duration * (context.isBusy() ? pauseShare.busy : pauseShare.usual)
        await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined)
      }
      return undefined
    },
  }
}

/** Changes the size by a factor of at most two, because one slow slice may have waited for something else. */
function nextSize(size: number, duration: number): number {
  const factor = Math.min(2, Math.max(0.5, targetMilliseconds / duration))
  return Math.round(Math.min(maxSize, Math.max(minSize, size * factor)))
}

/** Creates the work of the next computers. Returns false if there is nothing to do, or if another node does it. */
export async function makeSlice({ db, logger }: Omit<SliceContext, 'isBusy'>, size: number): Promise<boolean> {
  let taskId: string | undefined
  try {
    return await db.transaction().execute(async (transaction) => {
      if (!(await tryLockForTransaction(transaction, 'slicedActivations'))) return false
      const slice = await lockNextSlice(transaction, size)
      if (!slice) return false
      const { groupId, computerIds } = slice
      taskId = slice.taskId
      // Without the group, nothing assigns the packages any more.
      if (groupId === null) await endSlicedActivation(transaction, taskId, 'Cancelled')
      else {
        await prepareForSlice(transaction)
        const members = await listMembers(transaction, groupId, computerIds)
        await publishSlice(transaction, { ...slice, groupId }, members)
        await recordSlice(transaction, taskId, computerIds.length)
      }
      return true
    })
  } catch (error) {
    // A shortage ends by itself. The next run of the task tries again.
    if (taskId === undefined || findTransientReason(error)) throw error
    logger.error({ err: error, task: taskId }, 'The work of some computers of an activation could not be created.')
    await recordFailure(db, taskId)
    return false
  }
}

/** The computers are few, so indexes are the way to their rows, whatever the statistics of growing tables say. */
async function prepareForSlice(db: Database): Promise<void> {
  await sql`
    select set_config('jit', 'off', true), set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(db)
}

async function recordFailure(db: Database, taskId: string): Promise<void> {
  const failed = await db
    .updateTable('sliced_activations')
    .set({ failures: sql`failures + 1` })
    .where('task_id', '=', taskId)
    .where('finished_at', 'is', null)
    .returning('failures')
    .executeTakeFirst()
  if (failed && failed.failures >= maxFailures) await endSlicedActivation(db, taskId, 'Failed')
}
