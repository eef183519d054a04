import type { AnyOperation } from '../../../platform/operation.ts'
import { advanceRollout } from './advance-rollout.ts'
import { cancelRollout } from './cancel-rollout.ts'
import { createRollout } from './create-rollout.ts'
import { getRollout } from './get-rollout.ts'
import { listRolloutComputers } from './list-rollout-computers.ts'
import { listRollouts } from './list-rollouts.ts'
import { pauseRollout } from './pause-rollout.ts'
import { resumeRollout } from './resume-rollout.ts'
import { retryRollout } from './retry-rollout.ts'
import { updateRollout } from './update-rollout.ts'

/** Rollouts: what a group has assigned is brought to its computers ring by ring, watched, and stopped if it goes wrong. */
export const rolloutsApi: readonly AnyOperation[] = [
  listRollouts,
  createRollout,
  getRollout,
  updateRollout,
  pauseRollout,
  resumeRollout,
  advanceRollout,
  cancelRollout,
  retryRollout,
  listRolloutComputers,
]
