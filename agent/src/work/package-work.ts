import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { DownloadFailed } from '../files/download.ts'
import { sendInventory } from '../inventory-report.ts'
import { log } from '../log.ts'
import { misfit } from '../machine/operating-system.ts'
import { identified } from '../machine/processes.ts'
import { noteRebootRequired } from '../machine/system-state.ts'
import { writePatchList } from '../patches/patch-list.ts'
import { patchScanFault, refreshPatchScan } from '../patches/report.ts'
import type { PackageWorkKind, StartedWork, WorkPackage, WorkResult } from '../protocol.ts'
import { isDiskFull } from '../state/durable-file.ts'
import { type CommandSubject, commandEnvironment } from './command-environment.ts'
import { detected } from './detect.ts'
import { fetchPackage } from './fetch-package.ts'
import { keepLease, type Lease } from './lease.ts'
import { redactor } from './redact.ts'
import { finish } from './results.ts'
import { type CommandEnd, commandLineOf, runCommand } from './run-command.ts'
import { type PlannedStep, stepsOf } from './steps.ts'
import { verdictOf } from './verdict.ts'

export type PackageOrder = {
  workId: number
  attempt: number
  kind: PackageWorkKind
  package: WorkPackage
  /** The number of this run of the same attempt. */
  runs: number
}

type Begun = { order: PackageOrder; work: StartedWork; subject: CommandSubject; startedUtc: string; lease: Lease }
type Ended = Pick<CommandEnd, 'exitCode' | 'output'> & { commandLine: string | null; rebootRequired: boolean }

const nothingRan: Ended = { exitCode: null, output: '', commandLine: null, rebootRequired: false }

/** Does one piece of work on a package, from the download to the report; tells whether there was anything to report. */
export async function packageWork(agent: Agent, order: PackageOrder, work: StartedWork): Promise<boolean> {
  const folder = join(agent.state.packages, `${order.workId}-${order.attempt}-${order.runs}`)
  const lease = keepLease(agent.client, order.workId, order.attempt, work.leaseSeconds)
  const subject = { kind: order.kind, package: order.package, folder, variables: work.variables }
  const begun: Begun = { order, work, subject, startedUtc: new Date().toISOString(), lease }
  const result = await outcome(agent, begun).finally(() => lease.end())
  if (!result) return false
  await finish(agent, { workId: order.workId, result }, folder)
  return true
}

/** The result, or undefined where nothing was begun and nothing is to be said. */
async function outcome(agent: Agent, begun: Begun): Promise<WorkResult | undefined> {
  const { order, work, subject, lease } = begun
  const misfitting = await misfit(order.package.operatingSystems)
  if (misfitting) return failed(begun, misfitting)
  try {
    await fetchPackage(agent, order.workId, work, subject.folder, lease)
    if (order.package.kind === 'PatchFix') await writePatchList(subject.folder, work.patches)
  } catch (error) {
    if (error instanceof DownloadFailed) return failed(begun, error.message)
    if (agent.stopping.aborted || lease.cancelled.aborted) return undefined
    throw error
  }
  const isPresent = order.kind === 'Reinstall' ? await detected(subject, work.commands.detect ?? null) : undefined
  const steps = stepsOf(order.kind, work.commands, isPresent)
  if (typeof steps === 'string') return failed(begun, steps)
  return runSteps(agent, begun, steps)
}

async function runSteps(agent: Agent, begun: Begun, steps: readonly PlannedStep[]): Promise<WorkResult | undefined> {
  const { order, work, subject, lease } = begun
  const ended: Ended & Pick<CommandEnd, 'outcome' | 'errorText'> = {
    ...nothingRan,
    outcome: 'success',
    errorText: null,
  }
  for (const [index, planned] of steps.entries()) {
    await lease.tell(50 + (index * 50) / steps.length, `Running the command to ${planned.step}`)
    const mayBegin = !agent.stopping.aborted && !lease.cancelled.aborted
    // Between two steps the software is half gone: what was begun is brought to its end.
    if (index === 0 && !mayBegin) return undefined
    const end = await runStep(agent, begun, planned, index > 0).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error
      return `The disk is full: the journal could not be written, so the command to ${planned.step} was not run.`
    })
    if (typeof end === 'string') return failed(begun, end)
    const output = (ended.output + end.output).slice(-65_536).toWellFormed()
    const rebootRequired = ended.rebootRequired || end.outcome === 'reboot'
    Object.assign(ended, end, { output, rebootRequired, commandLine: redactedLine(begun, planned) })
    if (end.outcome === 'failed') break
  }
  if (ended.rebootRequired) await noteRebootRequired(agent.state, `${order.package.name} ${order.package.version}`)
  if (ended.outcome !== 'failed' && order.package.kind === 'InventoryScan') await sendWholeInventory(agent)
  // Told before the result, what a fix could not install does not make it due at once again.
  if (order.package.kind === 'PatchFix') await refreshPatchScan(agent)
  if (ended.outcome !== 'failed' && order.package.kind === 'PatchScan') {
    const errorText = await patchScanFault(agent)
    if (errorText !== null) Object.assign(ended, { outcome: 'failed', errorText })
  }
  const verdict = verdictOf(order.kind, ended, await detected(subject, work.commands.detect ?? null))
  return resultOf(begun, ended, verdict)
}

async function runStep(
  agent: Agent,
  { order, work, subject, startedUtc }: Begun,
  { step, command }: PlannedStep,
  isAfterUninstall: boolean,
): Promise<CommandEnd> {
  const secrets = Object.values(work.secrets)
  const commandLine = redactor(secrets)(commandLineOf(command))
  log(`Work ${order.workId}, attempt ${order.attempt}: ${order.kind} of ${order.package.name}: ${commandLine}`)
  return runCommand({
    command,
    folder: subject.folder,
    environment: commandEnvironment(subject, work.secrets),
    secrets,
    beforeStart: async (pid) =>
      agent.journal.write({
        phase: 'running',
        ...order,
        step,
        isAfterUninstall,
        detect: work.commands.detect ?? null,
        variables: work.variables,
        folder: subject.folder,
        commandLine,
        startedUtc,
        deadlineUtc: new Date(Date.now() + command.timeLimitMinutes * 60_000).toISOString(),
        process: await identified(pid),
      }),
  })
}

/** A scan that ran has succeeded, even if its sections have to wait for the next contact. */
async function sendWholeInventory(agent: Agent): Promise<void> {
  await sendInventory(agent).catch((error: unknown) => log(`The inventory could not be sent. ${messageOf(error)}`))
}

function redactedLine({ work }: Begun, { command }: PlannedStep): string {
  return redactor(Object.values(work.secrets))(commandLineOf(command))
}

function failed(begun: Begun, errorText: string): WorkResult {
  return resultOf(begun, nothingRan, { status: 'Failed', installationState: null, errorText })
}

function resultOf(
  { order, startedUtc }: Begun,
  { exitCode, output, commandLine, rebootRequired }: Ended,
  { status, installationState, errorText }: Pick<WorkResult, 'status' | 'installationState' | 'errorText'>,
): WorkResult {
  const finishedUtc = new Date().toISOString()
  return {
    attempt: order.attempt,
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
