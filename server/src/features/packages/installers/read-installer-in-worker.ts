import { basename } from 'node:path'
import {
  defaultInstallerLimits,
  type InstallerFacts,
  InstallerFault,
  type InstallerLimits,
} from '@muster/installers/reading'
import { programFile } from '../../../installation/files.ts'
import { runBoundedThread, ThreadStopped } from '../../../platform/load/bounded-thread.ts'
import { openPlaces } from '../../../platform/load/places.ts'
import type { ReadingResult, ReadingTask } from './installer-thread.ts'

/** Files are read one at a time in each process, and few of them wait for it. For others, `take` throws `NoPlaceFree`. */
const places = openPlaces({ max: 1, maxWaiting: 4, maxWaitMs: 60_000 })

const maxHeapMb = 256

/** The reading ends itself at its time limit. Code that never returns is stopped after this time more. */
const graceMs = 5_000

/**
 * Reads an installer in a thread of its own, which ends with the file: whatever the file contains costs the limits, and never the
 * service. `fileName` is the name that the vendor gave to the file, if the path has another one. Throws an InstallerFault, or
 * NoPlaceFree if too many files wait to be read.
 */
export async function readInstallerInWorker(
  path: string,
  limits: InstallerLimits = defaultInstallerLimits,
  fileName: string = basename(path),
): Promise<InstallerFacts> {
  const free = await places.take()
  try {
    const task: ReadingTask = { path, limits, fileName }
    const program = programFile('features/packages/installers/installer-thread')
    const threadLimits = { maxMs: limits.timeLimitMs + graceMs, maxHeapMb }
    const result = await runBoundedThread<ReadingResult>(program, task, threadLimits).catch((error: Error) => {
      throw error instanceof ThreadStopped ? toFault(error) : error
    })
    if ('fault' in result) throw new InstallerFault(result.fault.code, result.fault.message)
    return result.facts
  } finally {
    free()
  }
}

/** Errors of libraries that no promise reports end the thread, and mean that the file is damaged. */
function toFault({ reason, message }: ThreadStopped): InstallerFault {
  if (reason === 'time') return new InstallerFault('tooSlow', 'Reading the file takes too long.')
  if (reason === 'memory') return new InstallerFault('outOfMemory', 'Reading the file needs too much memory.')
  return new InstallerFault('damaged', `The file is damaged: ${message}`)
}
