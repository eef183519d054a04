import type { Schemas } from '../../api/client.ts'
import type { StatusKind } from '../../components/status-kinds.ts'
import type { ComputerPageData, PackageOfComputer } from './computer-data.ts'

export const healthKinds: Record<ComputerPageData['healthStatus'], StatusKind> = {
  Healthy: 'good',
  Warning: 'warning',
  Unreachable: 'bad',
}

export const agentKinds: Record<ComputerPageData['agentStatus'], StatusKind> = {
  Reporting: 'good',
  Stale: 'warning',
  Silent: 'bad',
  Unknown: 'neutral',
}

export type PackageState = PackageOfComputer['status'] | 'NotApplicable'

export const packageKinds: Record<PackageState, StatusKind> = {
  Success: 'good',
  Failed: 'bad',
  Pending: 'running',
  NotApplicable: 'neutral',
}

/** The contract has no status for a package that is not for the computer. */
export const packageStateOf = ({ status, notApplicable }: PackageOfComputer): PackageState =>
  notApplicable === null ? status : 'NotApplicable'

type Verdict = Schemas['ComputerExplanation']['verdict']

export const verdictKinds: Record<Verdict, StatusKind> = {
  Installed: 'good',
  Removed: 'good',
  Applied: 'good',
  NotAssigned: 'neutral',
  NotActivated: 'neutral',
  NothingToDo: 'neutral',
  NotApplicable: 'neutral',
  Waiting: 'warning',
  Due: 'running',
  Running: 'running',
  Failed: 'bad',
}

/** The state of a task by its number: 1 running, 2 finished, 3 failed. */
export const taskKinds: Record<Schemas['Task']['status'], StatusKind> = { 1: 'running', 2: 'good', 3: 'bad' }

/** The results that the distribution history knows. */
const resultKinds: Record<string, StatusKind> = {
  Pending: 'neutral',
  Running: 'running',
  Success: 'good',
  Failed: 'bad',
  Cancelled: 'neutral',
}

export const resultKind = (result: string | null): StatusKind => resultKinds[result ?? ''] ?? 'neutral'
