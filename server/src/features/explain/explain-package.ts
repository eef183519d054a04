import type { Database } from '../../database/connect.ts'
import { packageAssignmentsOf } from '../assignments/package-assignments.ts'
import { blockersOf } from '../hand-out/blockers.ts'
import { getPlannedFacts } from '../hand-out/planned-work.ts'
import { getAgentFacts, listWaitingWork, type WaitingWork } from '../hand-out/waiting-work.ts'
import { findPreDownload } from '../pre-downloads/pre-download-counts.ts'
import type { ComputerExplanation, ExplainedBlocker, Explanation } from './api/schemas.ts'
import { explainPulled } from './explain-pulled.ts'
import { explainTemplate } from './explain-setting.ts'
import { findEarliestRun, newBlocker, toExplainedBlocker } from './explained-blockers.ts'
import { type ExplainedOptionsRow, findExplainedOptions, toExplainedOptions } from './explained-options.ts'
import {
  explainRequirements,
  findSuperseding,
  formatSuperseding,
  listRequiringPackages,
} from './explained-relations.ts'
import { findMissingActivation } from './missing-activation.ts'
import { listNotices } from './notices.ts'
import {
  findCancellation,
  findDeployment,
  findMismatch,
  getExplainedPackage,
  listOtherVersions,
  type SubjectPackage,
} from './package-state.ts'
import { findPendingConvergence } from './pending-convergence.ts'
import { listReachedSources } from './reached-sources.ts'
import { type ExplainedRollout, findUnreleased, listRolloutsOfComputer } from './rollouts-of-computer.ts'
import { formatVerdict } from './verdict-messages.ts'

/** Why a computer has, lacks or waits for a package. */
export async function explainPackage(db: Database, computerId: number, packageId: string): Promise<Explanation> {
  const subject = await getExplainedPackage(db, packageId)
  if (subject.kind === 'AgentTemplate') return explainTemplate(db, computerId, subject)
  const found = await listReachedSources(
    db,
    computerId,
    packageAssignmentsOf(packageId, subject.kind).map(({ kind, isPackage }) => ({ kind, isSubject: isPackage })),
  )
  const [winner] = found
  const groupId = winner?.isSubject ? winner.groupId : null
  const options = groupId === null ? undefined : await findExplainedOptions(db, groupId, packageId)
  const deployment = await findDeployment(db, computerId, packageId)
  const { requirements, mismatch } = await explainRequirements(db, computerId, packageId)
  const requiredBy = await listRequiringPackages(db, computerId, packageId)
  const bringing = [packageId, ...requiredBy.map((requiring) => requiring.packageId)]
  const rollouts = await listRolloutsOfComputer(db, computerId, bringing)
  const circumstances = { groupId, options, deployment, rollouts, requiredBy, requirementMismatch: mismatch }
  const state = await findState(db, computerId, subject, circumstances)
  return {
    subject: { kind: 'Package', id: packageId, name: subject.name, version: subject.version },
    verdict: state.verdict,
    message: formatVerdict(state.verdict, state.blockers),
    value: null,
    earliestRun: state.earliestRun,
    blockers: state.blockers,
    sources: found.map(({ isSubject, ...source }) => source),
    options: options ? toExplainedOptions(options) : null,
    work: state.work ? await toExplainedWork(db, state.work) : null,
    failure:
      deployment?.status === 'Failed' ? { failedUtc: deployment.failed_at, errorText: deployment.error_text } : null,
    cancellation: state.work ? null : await findCancellation(db, computerId, packageId),
    otherVersions: await listOtherVersions(db, computerId, subject),
    relations: { requirements, requiredBy },
    rollouts,
    notices: await listNotices(db, computerId, packageId),
  }
}

type State = {
  verdict: ComputerExplanation['verdict']
  blockers: ExplainedBlocker[]
  earliestRun: Date | null
  work?: WaitingWork
}

type Circumstances = {
  /** The group whose assignment takes effect; null: none. */
  groupId: string | null
  options: ExplainedOptionsRow | undefined
  deployment: Awaited<ReturnType<typeof findDeployment>>
  rollouts: readonly ExplainedRollout[]
  requiredBy: ComputerExplanation['requiredBy']
  requirementMismatch: string | null
}

async function findState(
  db: Database,
  computerId: number,
  subject: SubjectPackage,
  { groupId, options, deployment, rollouts, requiredBy, requirementMismatch }: Circumstances,
): Promise<State> {
  const agent = await getAgentFacts(db, computerId)
  const work = (await listWaitingWork(db, agent)).find(({ package_id }) => package_id === subject.id)
  if (work) return toWorkState(work)
  const settled = (verdict: State['verdict'], blockers: ExplainedBlocker[] = []) => ({
    verdict,
    blockers,
    earliestRun: null,
  })
  const mismatch =
    groupId === null || deployment?.installation_state === 'Installed'
      ? null
      : ((await findMismatch(db, computerId, subject.id)) ?? requirementMismatch)
  if (mismatch !== null) return settled('NotApplicable', [newBlocker('NotApplicable', mismatch)])
  // Boot images are read when a computer boots. They need no work.
  if (subject.kind === 'PxeBootImage' && groupId !== null) return settled('Applied')
  if (deployment?.status === 'Failed') return settled('Failed')
  if (deployment?.installation_state === 'Installed') return settled('Installed')
  const pulled = groupId === null ? await explainPulled(db, computerId, subject.id, requiredBy) : undefined
  if (pulled) return settled(pulled.verdict, [pulled.blocker])
  if (groupId === null || !options)
    return settled(deployment?.installation_state === 'Uninstalled' ? 'Removed' : 'NotAssigned', [
      newBlocker('NotAssigned', 'Neither a group of the computer nor a group above has an effective assignment of it.'),
    ])
  const missing = await findMissingActivation(db, computerId, subject, groupId)
  if (missing.verdict === 'NothingToDo') {
    const later = await findSuperseding(db, computerId, subject.package_name)
    return settled('NothingToDo', later ? [newBlocker('Superseded', formatSuperseding(later))] : [])
  }
  // What would keep the work item from being handed out if it existed.
  const planned = await getPlannedFacts(db, agent.row, subject.id, options)
  const later = blockersOf(planned, agent.agent).map(toExplainedBlocker)
  const unreleased = missing.verdict === 'NotActivated' ? findUnreleased(rollouts) : undefined
  if (unreleased) return settled('Waiting', [unreleased, ...later])
  const isOfWaves = missing.verdict === 'NotActivated' && subject.kind !== 'OperatingSystem' && !subject.is_pre_os
  const pending = isOfWaves ? await findPendingConvergence(db, computerId, subject.id, groupId) : undefined
  const { verdict, blocker } = pending ?? missing
  return settled(verdict, [blocker, ...later])
}

export function toWorkState(work: WaitingWork): State {
  const blockers = work.blockers.map(toExplainedBlocker)
  if (work.is_leased) return { verdict: 'Running', blockers, earliestRun: null, work }
  const verdict = blockers.length > 0 ? 'Waiting' : 'Due'
  return { verdict, blockers, earliestRun: findEarliestRun(work.not_before, blockers), work }
}

/** Explained work has a package. */
type ExplainedKind = NonNullable<ComputerExplanation['work']>['kind']

export async function toExplainedWork(
  db: Database,
  work: WaitingWork,
): Promise<NonNullable<ComputerExplanation['work']>> {
  const { id, kind, state, task_id, created_at, attempt, failures, postponements, progress, schedule } = work
  const preDownload = (await findPreDownload(db, id)) ?? null
  return {
    workId: id,
    kind: kind as ExplainedKind,
    state,
    trackingId: task_id,
    createdUtc: created_at,
    attempt,
    failures,
    postponements,
    progress,
    schedule,
    preDownload,
  }
}
