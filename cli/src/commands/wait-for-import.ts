import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf, type components } from '@muster/client'
import type { Call } from '../command.ts'
import { progressOn } from '../output/progress.ts'

type Job = components['schemas']['PackageImportStatus']

const pollMs = 250

/** Shows the progress of an import until it ends. */
export async function waitForImport(
  { client, terminal }: Pick<Call, 'client' | 'terminal'>,
  trackingId: string,
): Promise<Job> {
  const progress = progressOn(terminal)
  for (;;) {
    const job = await answerOf(client.GET('/api/packages/import/{trackingId}', { params: { path: { trackingId } } }))
    progress.show({ done: job.progress ?? 0, total: 100, text: job.status })
    if (job.finishedAtUtc !== null) {
      progress.end()
      return job
    }
    await sleep(pollMs, undefined, { signal: terminal.signal })
  }
}
