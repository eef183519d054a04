import type { RawBuilder } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { CountRemovals } from '../../../platform/operation.ts'
import { noPxeBootImageToActivate, pxeNotApplicable } from '../../assignments/problems.ts'
import type { PowerSettings } from '../power-settings.ts'
import { deleteTaskIfEmpty, insertTask, type NewTask } from '../tasks.ts'
import { type ActivationBits, type ActivationScope, lockScope } from './activation-scope.ts'
import { countBootable } from './bootable-computers.ts'
import { removalsOfTask } from './planned-removals.ts'
import type { BoundPublication, RolloutWork } from './publication.ts'
import { publishAssignments } from './publish-assignments.ts'
import { loadReachableOptions } from './reachable-options.ts'

export type Activation = ActivationBits & {
  scope: ActivationScope
  /** When Wake-on-LAN is sent to all computers of the scope; null: never. */
  wakeAt: Date | 'now' | null
  /** What the computers do after all other work. */
  srl: PowerSettings | null
  /** The task to which the work belongs. */
  task: NewTask
  /** The rollout that releases the computers. */
  rollout?: RolloutWork
  /** Which of the due work is created, as a condition on `due`. All of it by default. */
  only?: RawBuilder<boolean>
  /** Which waiting work and fix packages it may change. All by default. */
  bound?: BoundPublication
  limit: WorkLimit
}

/**
 * Who answers for the work: the caller, whose quota counts what it removes, or the request that was counted and approved
 * before its work is created; `within` is a condition on `due`.
 */
export type WorkLimit = { countRemovals: CountRemovals } | { within: RawBuilder<boolean> }

export type ActivationResult = {
  computerCount: number
  /** When computers are woken; null if none of them can be. */
  wakeAt: Date | null
  /** The number of computers on which PXE was requested but not activated, because no boot image is assigned to them. */
  withoutPxeBootImage: number
  /** The number of computers on which it was not activated because they cannot boot their image. */
  pxeNotApplicable: number
  /** The number of computers that do not boot before their packages may be distributed. */
  notReadyForPxe: number
  /** The number of computers that can be neither woken nor booted as requested, because nobody knows their address. */
  withoutMacAddress: number
  /** The id of the task; null if no work was due. */
  trackingId: string | null
}

/**
 * Publishes the assignments of the computers: creates the work that is due now. The number of statements depends on the
 * request, never on the number of computers.
 */
export async function activate(db: Database, activation: Activation): Promise<ActivationResult> {
  const { scope, pxe, software, pull, srl, task, rollout, only, bound, limit } = activation
  const { computerCount, withoutMacAddress, now } = await lockScope(db, scope)
  const { withImage, bootable, notReady } =
    pxe && computerCount > 0 ? await requireBootable(db, scope, task) : noneBootable
  const options = await loadReachableOptions(db, scope.computers, now)
  const wakeAt = activation.wakeAt === 'now' ? now : activation.wakeAt
  const taskId = await insertTask(db, task)
  const isWaking = await publishAssignments(db, {
    ...{ scope, software, pxe, pull, srl, wakeAt, options, taskId, rollout, only, bound },
    classification: task.kind === 'Activation' ? 'Activation' : 'Request',
    allBoot: bootable === computerCount,
    ...('within' in limit && { within: limit.within }),
  })
  if ('countRemovals' in limit) await limit.countRemovals(removalsOfTask(taskId))
  return {
    computerCount,
    wakeAt: isWaking ? wakeAt : null,
    withoutPxeBootImage: pxe ? computerCount - withImage : 0,
    pxeNotApplicable: withImage - bootable,
    notReadyForPxe: notReady,
    withoutMacAddress: pxe || wakeAt ? withoutMacAddress : 0,
    trackingId: (await deleteTaskIfEmpty(db, taskId)) ? null : taskId,
  }
}

export const noneBootable = { withImage: 0, bootable: 0, notReady: 0 }

/** Counts the computers that can boot their image. Throws 409 if none can. */
export async function requireBootable(db: Database, scope: ActivationScope, { computerId, groupId }: NewTask) {
  const counts = await countBootable(db, scope)
  if (counts.withImage === 0) throw noPxeBootImageToActivate({ clientId: computerId, groupId })
  if (counts.bootable === 0) throw pxeNotApplicable({ clientId: computerId, groupId })
  return counts
}
