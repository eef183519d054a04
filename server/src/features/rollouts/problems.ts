import { problem } from '../../platform/problem.ts'

export const rolloutNotFound = problem('RolloutNotFound', 404, 'No rollout has this id.')
