import { isProblem, MusterProblem } from '@muster/client'

export { MusterProblem as Problem, unreachable } from '@muster/client'

export function isUnreachable(problem: MusterProblem): boolean {
  return isProblem(problem, 'ServiceUnreachable', 'Offline')
}

export function isOffline(problem: MusterProblem): boolean {
  return isProblem(problem, 'Offline')
}

/** Shows errors of the console itself like any other problem, so they do not go unnoticed. */
export function asProblem(error: unknown): MusterProblem {
  if (error instanceof MusterProblem) return error
  return new MusterProblem({ code: 'PageFault', title: 'Error', detail: String(error) }, 0)
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof MusterProblem && error.status === status
}
