import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { DownloadFailed } from '../files/download.ts'
import { sendInventory } from '../inventory/report.ts'
import { log } from '../log.ts'
import { writePatchList } from '../patches/patch-list.ts'
import { refreshPatchScan, sendPatchScanOrError } from '../patches/report.ts'
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
import { isDiskFull } from '../state/durable-file.ts'
import { recordRebootRequired } from '../state/reboot-required.ts'
import { findOutcome } from '../update/versions.ts'
import { writeCollections } from './collections-file.ts'
import { type CommandSubject, commandEnvironment } from './command-environment.ts'
import { declarationOf, type ResolvedCommand } from './declared/declaration.ts'
import { resolveCommands } from './declared/resolve-commands.ts'
import { isRefusedAsBusy, runWithMsi } from './declared/run-msi.ts'
import { detectSoftware } from './detect.ts'
import { fetchPackage, type Transfer } from './fetch-package.ts'
import { findMismatch } from './find-mismatch.ts'
import { type Lease, startLease } from './lease.ts'
import { addLastLines } from './output-tail.ts'
import { redactor } from './redact.ts'
import { finish } from './results.ts'
import { type CommandEnd, commandLineOf, runCommand } from './run-command.ts'
import { type PlannedStep, planSteps } from './steps.ts'
import { judgeResult } from './verdict.ts'
import { verifyWork } from './verify-work.ts'

export type PackageItem = {
  workId: number
  attempt: number
  kind: PackageWorkKind
  package: WorkPackage
  /** How many times this attempt was started, including this run. */
  runs: number
}

type Begun = {
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
type Ended = Pick<CommandEnd, 'exitCode' | 'output'> & { commandLine: string | null; rebootRequired: boolean }

const nothingRan: Ended = { exitCode: null, output: '', commandLine: null, rebootRequired: false }

/**
 * Does one work item on a package, from download to report. Returns whether there was a result to report. If the server
 * does not know of the start, the first report of progress informs it, or the result of work that is done sooner.
 */
export async function packageWork(
  agent: Agent,
  item: PackageItem,
  work: StartedWork,
  isStartKnown = true,
): Promise<boolean> {
  const folder = join(agent.state.packages, `${item.workId}-${item.attempt}-${item.runs}`)
  const silentUntil = isStartKnown ? 0 : agent.terms.mayBeginUntil
  const lease = startLease(agent.client, item, work.leaseSeconds, silentUntil, (percent) =>
    agent.activity.progress(item.workId, percent),
  )
  const subject = { kind: item.kind, package: item.package, folder, variables: work.variables }
  const begun: Begun = {
    item,
    work,
    subject,
    startedUtc: new Date().toISOString(),
    lease,
    fetched: [],
    detect: null,
    signedBy: null,
  }
  const result = await performWork(agent, begun).finally(() => lease.end())
  if (!result) return false
  await finish(agent, { workId: item.workId, result }, folder)
  return true
}

/** Returns the result, or undefined if nothing was started and there is nothing to report. */
async function performWork(agent: Agent, handed: Begun): Promise<WorkResult | undefined> {
  const begun = await acceptIfSigned(agent, handed)
  if (!begun || 'status' in begun) return begun
  const { item, work, subject } = begun
  const mismatch = await findMismatch(agent.platform.computer, item.package.operatingSystems)
  if (mismatch) return refuse(agent, begun, mismatch)
  try {
    await fetchPackage(agent, item.workId, work, subject.folder, toTransfer(begun))
    await writeCollections(subject.folder, work.collections)
    if (item.package.kind === 'PatchFix') await writePatchList(subject.folder, work.patches)
  } catch (error) {
    return failIfPossible(agent, begun, error)
  }
  const environment = commandEnvironment(subject, work.secrets)
  const commands = await resolveCommands(agent.platform, declarationOf(work), { ...work, ...subject, environment })
  if (typeof commands === 'string') return refuse(agent, begun, commands)
  const detect = commands.detect ?? null
  const { isPresent } =
    item.kind === 'Reinstall' ? await detectSoftware(agent.platform, subject, detect) : { isPresent: undefined }
  const steps = planSteps(item.kind, commands, isPresent)
  if (typeof steps === 'string') return refuse(agent, begun, steps)
  return runSteps(agent, { ...begun, detect }, steps)
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
async function refuse(agent: Agent, begun: Begun, reason: string): Promise<WorkResult> {
  await agent.cache.discard(begun.fetched)
  return failedResult(begun, reason)
}

async function runSteps(agent: Agent, begun: Begun, steps: readonly PlannedStep[]): Promise<WorkResult | undefined> {
  const { item, subject, lease } = begun
  const ended: Ended & Pick<CommandEnd, 'outcome' | 'errorText'> = {
    ...nothingRan,
    outcome: 'success',
    errorText: null,
  }
  for (const [index, planned] of steps.entries()) {
    await lease.report(50 + (index * 50) / steps.length, `Running the command to ${planned.step}`)
    const mayBegin = !agent.stopping.aborted && !lease.cancelled.aborted
    // Between two steps the software is half removed: once started, the work is finished.
    if (index === 0 && !mayBegin) return undefined
    const end = await runStep(agent, begun, planned, index > 0).catch((error: unknown) => {
      if (index === 0 && isShortage(error)) throw delayIfShort(error)
      if (!isDiskFull(error) && !isShortage(error)) throw error
      const reason = isDiskFull(error) ? 'The disk is full' : messageOf(error)
      return `${reason}: the journal could not be written, so the command to ${planned.step} was not run.`
    })
    if (typeof end === 'string') return failedResult(begun, end)
    // The journal still has the command: the next start of the agent runs it again.
    if (agent.stopping.aborted && isRefusedAsBusy(planned.command, end)) return undefined
    if (index === 0 && isShortage(end.startError)) throw delayIfShort(end.startError)
    const output = (ended.output + end.output).slice(-65_536).toWellFormed()
    const rebootRequired = ended.rebootRequired || end.outcome === 'reboot'
    Object.assign(ended, end, { output, rebootRequired, commandLine: redactedLine(begun, planned) })
    if (end.outcome === 'failed') break
  }
  // The command has staged another version of the agent, which reports the result after its trial.
  if (ended.outcome !== 'failed' && (await findOutcome(agent.platform, item.workId))?.state === 'OnTrial')
    return undefined
  if (ended.rebootRequired) await recordRebootRequired(agent.state, `${item.package.name} ${item.package.version}`)
  if (ended.outcome !== 'failed' && item.package.kind === 'InventoryScan') await sendWholeInventory(agent)
  // Sent before the result: otherwise patches that the fix could not install would make it due again at once.
  if (item.package.kind === 'PatchFix') await refreshPatchScan(agent)
  if (ended.outcome !== 'failed' && item.package.kind === 'PatchScan') {
    const errorText = await sendPatchScanOrError(agent)
    if (errorText !== null) Object.assign(ended, { outcome: 'failed', errorText })
  }
  // The exit code of a fix does not say which patch failed, and that of a package manager not why.
  const isExplained = item.package.kind === 'PatchFix' || declarationOf(begun.work).source !== undefined
  if (ended.errorText !== null && isExplained) ended.errorText = addLastLines(ended.errorText, ended.output)
  const detected = await detectSoftware(agent.platform, subject, begun.detect)
  const verdict = judgeResult(item.kind, ended, detected)
  return buildResult(begun, ended, verdict)
}

/** Only for errors before the first command has started. */
function delayIfShort(error: unknown): unknown {
  return isShortage(error) ? new WorkDelayed('The work could not begin', { cause: error }) : error
}

async function runStep(
  agent: Agent,
  { item, work, subject, startedUtc, detect, signedBy, lease }: Begun,
  { step, command: planned }: PlannedStep,
  isAfterUninstall: boolean,
): Promise<CommandEnd> {
  const secrets = Object.values(work.secrets)
  const commandLine = redactor(secrets)(commandLineOf(planned))
  log(`Work ${item.workId}, attempt ${item.attempt}: ${item.kind} of ${item.package.name}: ${commandLine}`)
  const run = (command: ResolvedCommand) =>
    runCommand(agent.platform.processes, {
      command,
      folder: subject.folder,
      environment: {
        ...commandEnvironment(subject, work.secrets),
        MUSTER_WORK_ID: String(item.workId),
        // A command may call the agent, which then must find the same keys.
        MUSTER_AGENT_STATE: agent.state.root,
      },
      secrets,
      beforeStart: (process) =>
        agent.journal.write({
          phase: 'running',
          ...item,
          step,
          isAfterUninstall,
          detect,
          signedBy,
          variables: work.variables,
          folder: subject.folder,
          commandLine,
          startedUtc,
          deadlineUtc: new Date(Date.now() + command.timeLimitMinutes * 60_000).toISOString(),
          process,
        }),
    })
  return runWithMsi({
    command: planned,
    secrets,
    run,
    signal: AbortSignal.any([agent.stopping, lease.cancelled]),
    onWait: () => lease.note(50, 'Waiting for another installation to end'),
  })
}

/** The scan has succeeded even if its sections can only be sent at the next contact. */
async function sendWholeInventory(agent: Agent): Promise<void> {
  await sendInventory(agent).catch((error: unknown) => log(`The inventory could not be sent. ${messageOf(error)}`))
}

function redactedLine({ work }: Begun, { command }: PlannedStep): string {
  return redactor(Object.values(work.secrets))(commandLineOf(command))
}

function failedResult(begun: Begun, errorText: string): WorkResult {
  return buildResult(begun, nothingRan, { status: 'Failed', installationState: null, errorText })
}

function buildResult(
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
