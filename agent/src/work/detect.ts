import { mkdir } from 'node:fs/promises'
import type { PackageCommand } from '../protocol.ts'
import { type CommandSubject, commandEnvironment } from './command-environment.ts'
import { runCommand } from './run-command.ts'

/** Whether the software is there; undefined where nothing tells. It gets no secrets. */
export async function detected(subject: CommandSubject, detect: PackageCommand | null): Promise<boolean | undefined> {
  if (!detect) return undefined
  await mkdir(subject.folder, { recursive: true })
  const end = await runCommand({ command: detect, folder: subject.folder, environment: commandEnvironment(subject) })
  if (end.outcome !== 'failed') return true
  // Without a code it was ended from outside and has not answered.
  return end.exitCode === null ? undefined : false
}
