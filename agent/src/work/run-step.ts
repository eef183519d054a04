import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import { isShortage } from '../shortage.ts'
import { isDiskFull } from '../state/durable-file.ts'
import { type Begun, delayIfShort } from './begun-work.ts'
import { commandEnvironment } from './command-environment.ts'
import type { ResolvedCommand } from './declared/declaration.ts'
import { waitUntilRemoved } from './declared/remove-program.ts'
import { isRefusedAsBusy, runWithMsi } from './declared/run-msi.ts'
import { redactor } from './redact.ts'
import { type CommandEnd, commandLineOf, runCommand } from './run-command.ts'
import { type PlannedStep, textOfStep } from './steps.ts'

/** What the journal has to know about a step beyond its command. */
export type StepPlace = {
  isFirst: boolean
  /** Whether the previous step has removed the old software. */
  isAfterUninstall: boolean
  /** Whether the step belongs to a trial. */
  isTrial?: true
}

/**
 * Runs the command of a step. Returns why it could not run, or undefined if the agent is stopping and its next start repeats the
 * step. Before the first command has started, a shortage delays the work.
 */
export async function runStep(
  agent: Agent,
  begun: Begun,
  planned: PlannedStep,
  place: StepPlace,
): Promise<CommandEnd | string | undefined> {
  const end = await runJournaled(agent, begun, planned, place).catch((error: unknown) => {
    if (place.isFirst && isShortage(error)) throw delayIfShort(error)
    if (!isDiskFull(error) && !isShortage(error)) throw error
    const reason = isDiskFull(error) ? 'The disk is full' : messageOf(error)
    return `${reason}: the journal could not be written, so ${textOfStep(planned.step)} was not run.`
  })
  if (typeof end === 'string') return end
  // The journal still has the command: the next start of the agent runs it again.
  if (agent.stopping.aborted && isRefusedAsBusy(planned.command, end)) return undefined
  if (place.isFirst && isShortage(end.startError)) throw delayIfShort(end.startError)
  return end
}

async function runJournaled(
  agent: Agent,
  begun: Begun,
  { step, command: planned }: PlannedStep,
  { isAfterUninstall, isTrial }: StepPlace,
): Promise<CommandEnd> {
  const { item, work, subject, startedUtc, detect, signedBy, lease } = begun
  const secrets = Object.values(work.secrets)
  const commandLine = redactedLine(begun, { step, command: planned })
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
          ...(isTrial && { isTrial }),
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
  const signal = AbortSignal.any([agent.stopping, lease.cancelled])
  const onWait = () => lease.note(50, 'Waiting for another installation to end')
  const end = await runWithMsi({ command: planned, secrets, run, signal, onWait })
  if (planned.removes && end.outcome !== 'failed')
    await waitUntilRemoved(agent.platform.detection, planned.removes, signal)
  return end
}

export function redactedLine({ work }: Begun, { command }: PlannedStep): string {
  return redactor(Object.values(work.secrets))(commandLineOf(command))
}
