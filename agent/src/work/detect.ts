import { mkdir } from 'node:fs/promises'
import { messageOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import type { PackageDetection } from '../protocol.ts'
import { type CommandSubject, commandEnvironment } from './command-environment.ts'
import { isDetected } from './declared/detect-declared.ts'
import { isDeclaredForm } from './declared/resolve-commands.ts'
import { runCommand } from './run-command.ts'

export type Detected = {
  /** Undefined if the package cannot detect its software, or if the detection has no answer. */
  isPresent: boolean | undefined
  /** Why a declared detection has no answer. */
  fault?: string
}

/** Whether the software is installed. A command gets no secrets. */
export async function detectSoftware(
  { processes, detection }: Platform,
  subject: CommandSubject,
  detect: PackageDetection | null,
): Promise<Detected> {
  if (!detect) return { isPresent: undefined }
  if (isDeclaredForm(detect))
    return isDetected(detection, detect).then(
      (isPresent) => ({ isPresent }),
      (error: unknown) => ({ isPresent: undefined, fault: messageOf(error) }),
    )
  const { folder } = subject
  await mkdir(folder, { recursive: true })
  const end = await runCommand(processes, { command: detect, folder, environment: commandEnvironment(subject) })
  if (end.outcome !== 'failed') return { isPresent: true }
  // Without an exit code the command was killed and has no answer.
  return { isPresent: end.exitCode === null ? undefined : false }
}
