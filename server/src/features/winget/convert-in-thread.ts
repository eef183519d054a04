import type { WingetChoice, WingetConversion, WingetFile } from '@muster/installers/winget'
import { programFile } from '../../installation/files.ts'
import { runBoundedThread, ThreadStopped } from '../../platform/load/bounded-thread.ts'
import { NoPlaceFree, openPlaces } from '../../platform/load/places.ts'
import type { ConversionResult, ConversionTask } from './conversion-thread.ts'
import { wingetConverterBusy, wingetManifestInvalid } from './problems.ts'

/** Manifests are converted one at a time in each process, and few of them wait for it. */
const places = openPlaces({ max: 1, maxWaiting: 8, maxWaitMs: 30_000 })

const limits = { maxMs: 20_000, maxHeapMb: 128 }

/** Converts a manifest in a thread of its own: whatever the files contain costs the limits, and never the service. */
export async function convertInThread(files: readonly WingetFile[], choice: WingetChoice): Promise<WingetConversion> {
  const free = await places.take().catch((error: unknown) => {
    throw error instanceof NoPlaceFree ? wingetConverterBusy().withHeaders({ 'retry-after': '10' }) : error
  })
  try {
    const task: ConversionTask = { files, choice }
    const result = await runBoundedThread<ConversionResult>(
      programFile('features/winget/conversion-thread'),
      task,
      limits,
    )
    if ('fault' in result) throw wingetManifestInvalid({ reason: result.fault })
    return result.conversion
  } catch (error) {
    throw error instanceof ThreadStopped
      ? wingetManifestInvalid({ reason: 'Reading the manifest needs too much time or memory.' })
      : error
  } finally {
    free()
  }
}
