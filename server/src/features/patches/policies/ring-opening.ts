import type { PatchPause } from './patch-pauses.ts'
import {
  countRingComputers,
  installedPercent,
  noRingComputers,
  type PatchRing,
  type RingComputers,
} from './patch-rings.ts'

/** How far a policy has released a patch, as JSON: moments are texts. */
export type RulingProgress = {
  openedUtc: string | null
  metUtc: string | null
  counts: RingComputers[]
  pause: PatchPause | null
  stoppedUtc: string | null
  stoppedBy: string | null
  stopReason: string | null
}

const day = 86_400_000

/** What decides when the next ring of a patch opens. */
export type RingOpening = {
  rings: readonly PatchRing[]
  approvedUtc: Date | null
  progress: Pick<RulingProgress, 'metUtc' | 'counts'> | null
}

/** For a computer whose ring is not open: what it waits for, as the end of a sentence. */
export function describeRingOpening(ruling: RingOpening & { ring: number | null; openRing: number | null }): string {
  const { ring, openRing, rings } = ruling
  const own = rings[(ring ?? 0) - 1]
  if (ring === null || !own) return 'no ring of the policy has the computer.'
  const open = openRing ?? 0
  const subject = `the computer is in ${nameRing(ring, own)}`
  const opening = describeNextOpening(ruling, open)
  if (ring === open + 1) return `${subject}, which ${opening}.`
  const next = rings[open]
  return `${subject}. Before it, ${next ? nameRing(open + 1, next) : 'another one'} ${opening}.`
}

export const nameRing = (ring: number, { name }: PatchRing) => `ring ${ring} (${name})`

/** When the ring after the open one opens, as the end of a sentence. */
export function describeNextOpening({ rings, approvedUtc, progress }: RingOpening, open: number): string {
  const afterDays = rings[open]?.afterDays ?? 0
  const previous = rings[open - 1]
  if (!previous) return describeDay(new Date((approvedUtc?.getTime() ?? 0) + afterDays * day))
  if (progress?.metUtc) {
    const opensAt = new Date(Date.parse(progress.metUtc) + afterDays * day)
    return `${describeDay(opensAt)} if the results of ring ${open} stay good`
  }
  const counts = progress?.counts.find((counted) => counted.ring === open) ?? { ring: open, ...noRingComputers }
  const days = afterDays === 0 ? '' : afterDays === 1 ? ', a day later' : `, ${afterDays} days later`
  return `opens once ring ${open} has installed it on ${previous.gate.minInstalledPercent} % (${describeNow(counts)})${days}`
}

const describeDay = (opensAt: Date) =>
  opensAt.getTime() <= Date.now() ? 'opens within minutes' : `opens on ${opensAt.toISOString().slice(0, 10)}`

function describeNow(counts: RingComputers): string {
  const percent = installedPercent(counts)
  return percent === null
    ? 'no computer of it has reported the patch lately'
    : `now ${percent} % of ${countRingComputers(counts)} computers`
}
