import { setTimeout as sleep } from 'node:timers/promises'

/** Duration of the soak test. */
export const minutes = Number(process.env.MUSTER_BENCH_MINUTES ?? 30)
export const seconds = minutes * 60

/** No new work starts in this period at the end, so all work must finish. */
export const secondsToFinish = Math.max(60, seconds / 10)

/** Returns early, without an error, when the signal is aborted. */
export async function pause(forSeconds: number, signal: AbortSignal): Promise<void> {
  await sleep(forSeconds * 1000, undefined, { signal }).catch(() => undefined)
}
