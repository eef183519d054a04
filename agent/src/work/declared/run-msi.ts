import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { redactor } from '../redact.ts'
import type { CommandEnd } from '../run-command.ts'
import type { ResolvedCommand } from './declaration.ts'
import { readMsiFailure } from './msi-log.ts'

/** Windows Installer does one installation at a time, and refuses others meanwhile. */
const busyCode = 1618
const firstPauseMs = 2_000
const maxPauseMs = 30_000
const maxErrorLength = 2_000

const meanings: Record<number, string> = {
  [busyCode]: 'another installation was running',
  1619: 'the MSI file could not be opened',
  1625: 'a policy of this computer forbids the installation',
  1633: 'the MSI file is for another processor',
  1638: 'another version of this product is installed',
}

export type MsiRun = {
  command: ResolvedCommand
  secrets: readonly string[]
  /** Ends the wait for another installation. */
  signal: AbortSignal
  run: (command: ResolvedCommand) => Promise<CommandEnd>
  onWait: () => void
}

/** Whether the command has changed nothing because of another installation. */
export const isRefusedAsBusy = ({ installer }: ResolvedCommand, { exitCode }: CommandEnd) =>
  installer !== undefined && exitCode === busyCode

/**
 * Runs a command. One of an MSI file waits for other installations, within its time limit, and a failure is explained by
 * its log.
 */
export async function runWithMsi({ command, secrets, ...run }: MsiRun): Promise<CommandEnd> {
  const { installer } = command
  if (installer === undefined) return run.run(command)
  // A file of this name in the package may be a link into the cache.
  await rm(installer.log, { force: true })
  const end = await runWhenFree(command, run)
  if (end.outcome !== 'failed' || end.exitCode === null) return end
  const redact = redactor(secrets)
  return explain(end, (await readMsiFailure(installer.log)).map(redact))
}

async function runWhenFree(
  command: ResolvedCommand,
  { signal, run, onWait }: Omit<MsiRun, 'command' | 'secrets'>,
): Promise<CommandEnd> {
  const deadline = Date.now() + command.timeLimitMinutes * 60_000
  let end = await run(command)
  for (let pauseMs = firstPauseMs; isRefusedAsBusy(command, end); pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (signal.aborted || Date.now() + pauseMs > deadline) break
    onWait()
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    end = await run({ ...command, timeLimitMinutes: (deadline - Date.now()) / 60_000 })
  }
  return end
}

function explain(end: CommandEnd, lines: readonly string[]): CommandEnd {
  const meaning = meanings[end.exitCode ?? 0]
  const errorText = meaning ? `${end.errorText} It means: ${meaning}.` : end.errorText
  if (lines.length === 0) return { ...end, errorText }
  const shown = lines.join('\n')
  return {
    ...end,
    output: `${end.output}${shown}\n`,
    errorText: `${errorText} From its log:\n${shown.slice(-maxErrorLength).toWellFormed()}`,
  }
}
