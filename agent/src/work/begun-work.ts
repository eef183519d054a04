import type { Agent } from '../agent.ts'
import { DownloadFailed } from '../files/download.ts'
import { writePatchList } from '../patches/patch-list.ts'
import { writeRollbackList } from '../patches/rollbacks.ts'
import type {
  PackageDetection,
  PackageFile,
  PackageWorkKind,
  StartedWork,
  WorkPackage,
  WorkResult,
} from '../protocol.ts'
import { isShortage, WorkDelayed } from '../shortage.ts'
import { PinnedKeysLost } from '../signing/pinned-keys.ts'
import { PackageRefused } from '../signing/signed-manifest.ts'
import type { Step } from '../state/journal.ts'
import { writeCollections } from './collections-file.ts'
import { type CommandSubject, commandEnvironment } from './command-environment.ts'
import { declarationOf, type ResolvedCommands } from './declared/declaration.ts'
import { resolveCommands } from './declared/resolve-commands.ts'
import { fetchPackage, type Transfer } from './fetch-package.ts'
import { findMismatch } from './find-mismatch.ts'
import type { Lease } from './lease.ts'
import type { CommandEnd } from './run-command.ts'
import { verifyWork } from './verify-work.ts'

export type PackageItem = {
  workId: number
  attempt: number
  kind: PackageWorkKind
  package: WorkPackage
  /** How many times this attempt was started, including this run. */
  runs: number
  /** The step of a trial during which an earlier process of the agent stopped. */
  interruptedStep?: Step
}

export type Begun = {
  item: PackageItem
  work: StartedWork
  subject: CommandSubject
  startedUtc: string
  lease: Lease
  /** What this work has downloaded, and nothing else had before. */
  fetched: PackageFile[]
  /** How the software is detected; null if it is not. */
  detect: PackageDetection | null
  /** The id of the key that has signed the package; null if none is required. */
  signedBy: string | null
}

export type Ended = Pick<CommandEnd, 'exitCode' | 'output'> & { commandLine: string | null; rebootRequired: boolean }

export const nothingRan: Ended = { exitCode: null, output: '', commandLine: null, rebootRequired: false }

/** Work whose package is in its folder, with the commands that are its own on this computer. */
export type PreparedWork = { begun: Begun; commands: ResolvedCommands }

/** Brings the package to this computer, or returns the result of work that ends here: undefined if there is nothing to report. */
export async function prepareWork(agent: Agent, handed: Begun): Promise<PreparedWork | WorkResult | undefined> {
  const begun = await acceptIfSigned(agent, handed)
  if (!begun || 'status' in begun) return begun
  const { item, work, subject } = begun
  const mismatch = await findMismatch(agent.platform.computer, item.package.operatingSystems)
  if (mismatch) return refuse(agent, begun, mismatch)
  try {
    await fetchPackage(agent, item.workId, work, subject.folder, toTransfer(begun))
    await writeCollections(subject.folder, work.collections)
    if (item.package.kind === 'PatchFix') {
      await writePatchList(subject.folder, work.patches)
      await writeRollbackList(subject.folder, work.rollbacks ?? [])
    }
  } catch (error) {
    return failIfPossible(agent, begun, error)
  }
  const environment = commandEnvironment(subject, work.secrets)
  const commands = await resolveCommands(agent.platform, declarationOf(work), { ...work, ...subject, environment })
  if (typeof commands === 'string') return refuse(agent, begun, commands)
  return { begun: { ...begun, detect: commands.detect ?? null }, commands }
}

function toTransfer({ lease, fetched }: Begun): Transfer {
  return {
    cancelled: lease.cancelled,
    onProgress: (done, all) => lease.note((done / all) * 50, `Downloading, ${done} of ${all} bytes`),
    fetched,
    hasTimeLimit: true,
  }
}

/** The work as its signed manifest describes it, if this agent has pinned keys; otherwise what to report, if anything. */
async function acceptIfSigned(agent: Agent, handed: Begun): Promise<Begun | WorkResult | undefined> {
  const { item, work, subject } = handed
  try {
    const verified = await verifyWork(agent, { workId: item.workId, package: item.package, work }, toTransfer(handed))
    return {
      ...handed,
      item: { ...item, package: verified.package },
      work: verified.work,
      subject: { ...subject, package: verified.package },
      signedBy: verified.signedBy,
    }
  } catch (error) {
    return failIfPossible(agent, handed, error)
  }
}

/** The result of work that failed before its first command, or undefined if the agent or the lease is ending. */
async function failIfPossible(agent: Agent, begun: Begun, error: unknown): Promise<WorkResult | undefined> {
  if (error instanceof PackageRefused || error instanceof PinnedKeysLost) return refuse(agent, begun, error.message)
  // The next attempt continues the download.
  if (error instanceof DownloadFailed) return failedResult(begun, error.message)
  if (agent.stopping.aborted || begun.lease.cancelled.aborted) return undefined
  throw delayIfShort(error)
}

/** The result of work that this computer does not do. Nothing of it stays: otherwise refused work could fill the disk. */
export async function refuse(agent: Agent, begun: Begun, reason: string): Promise<WorkResult> {
  await agent.cache.discard(begun.fetched)
  return failedResult(begun, reason)
}

/** Only for errors before the first command has started. */
export function delayIfShort(error: unknown): unknown {
  return isShortage(error) ? new WorkDelayed('The work could not begin', { cause: error }) : error
}

export function failedResult(begun: Begun, errorText: string): WorkResult {
  return buildResult(begun, nothingRan, { status: 'Failed', installationState: null, errorText })
}

export function buildResult(
  { item, startedUtc }: Begun,
  { exitCode, output, commandLine, rebootRequired }: Ended,
  { status, installationState, errorText }: Pick<WorkResult, 'status' | 'installationState' | 'errorText'>,
): WorkResult {
  const finishedUtc = new Date().toISOString()
  return {
    attempt: item.attempt,
    status,
    installationState,
    exitCode,
    startedUtc,
    finishedUtc,
    commandLine,
    output,
    errorText,
    rebootRequired,
  }
}
