import { mkdir } from 'node:fs/promises'
import type { Platform } from '../platform/platform.ts'
import type { PackageCommand } from '../protocol.ts'
import { type CommandSubject, commandEnvironment } from './command-environment.ts'
import { runCommand } from './run-command.ts'

/** Whether the software is installed; undefined if the package cannot detect it. The command gets no secrets. */
export async function detectSoftware(
  { processes }: Platform,
  subject: CommandSubject,
  detect: PackageCommand | null,
): Promise<boolean | undefined> {
  if (!detect) return undefined
  await mkdir(subject.folder, { recursive: true })
  const { folder } = subject
  const end = await runCommand(processes, { command: detect, folder, environment: commandEnvironment(subject) })
  if (end.outcome !== 'failed') return true
  // Without an exit code the command was killed and has no answer.
  return end.exitCode === null ? undefined : false
}
