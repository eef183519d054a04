import { setTimeout as sleep } from 'node:timers/promises'

/** How long the whole takes. */
export const minutes = Number(process.env.MUSTER_BENCH_MINUTES ?? 30)
export const seconds = minutes * 60

/** At the end nothing new is begun, so that what was begun must come to its end. */
export const secondsToFinish = Math.max(60, seconds / 10)

/** Ends early, and without an error, when the signal says so. */
export async function pause(forSeconds: number, signal: AbortSignal): Promise<void> {
  await sleep(forSeconds * 1000, undefined, { signal }).catch(() => undefined)
}
