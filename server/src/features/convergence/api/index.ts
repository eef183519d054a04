import type { AnyOperation } from '../../../platform/operation.ts'
import { getGroupConvergence } from './get-group-convergence.ts'
import { removeGroupConvergence } from './remove-group-convergence.ts'
import { setGroupConvergence } from './set-group-convergence.ts'

/** Groups whose members are kept converged: what is assigned to them becomes work without an activation. */
export const convergenceApi: readonly AnyOperation[] = [
  getGroupConvergence,
  setGroupConvergence,
  removeGroupConvergence,
]
